import * as z from 'zod'

import { refusal } from '../stored/phrases'
import { json, table, tableOf, type Table } from './json'
import { callNeeds, chainReasons, type CallNeed, type ChainReason } from './model-reasons'
import { once, type Option } from './option'
import { eachOnce } from './texts'

/** A model that may serve the calls of an alias. */
export interface AliasTarget {
  readonly model: string
  /** Its part of the calls, beside the weights of the others. */
  readonly weight: number
}

/** Which calls of an alias go to these models. What is absent fits every call. */
export interface AliasRule {
  readonly groups?: readonly string[]
  /** Prompt tokens, as the gateway estimates them. */
  readonly min_tokens?: number
  readonly max_tokens?: number
  /** The call has all of these. */
  readonly needs?: readonly CallNeed[]
  /** Hours of the day in the site's zone: from the first to before the second, past midnight where that is smaller. */
  readonly hours?: readonly [from: number, to: number]
  readonly targets: readonly AliasTarget[]
}

/** What is tried where a model, or those of an alias, do not serve. */
export interface ModelChain {
  readonly models: readonly string[]
  /** Default: all reasons. */
  readonly on?: readonly ChainReason[]
}

/** Each model of a chain that fails costs its caller time. */
export const maxChainLength = 5
const maxRules = 20
const maxTargets = 20
const maxWeight = 1_000_000
const maxTokens = 100_000_000

const ModelName = once(() => z.string().trim().min(1).max(255))
const Hour = once(() => z.int().min(0).max(24))

const AliasRule = (): z.ZodType<AliasRule> =>
  z
    .strictObject({
      groups: z.array(z.string().trim().min(1).max(64)).min(1).max(100).check(eachOnce(String)).optional(),
      min_tokens: z.int().min(0).max(maxTokens).optional(),
      max_tokens: z.int().min(1).max(maxTokens).optional(),
      needs: z.array(z.enum(callNeeds)).min(1).check(eachOnce(String)).optional(),
      hours: z
        .tuple([Hour(), Hour()])
        .refine(([from, to]) => from !== to, refusal('reason.no_hours'))
        .optional(),
      targets: z
        .array(z.strictObject({ model: ModelName(), weight: z.int().min(1).max(maxWeight) }))
        .min(1)
        .max(maxTargets)
        .check(eachOnce(({ model }) => model)),
    })
    .refine(({ min_tokens: min = 0, max_tokens: max = maxTokens }) => min <= max, refusal('reason.backwards'))

const aliases = () => tableOf(z.array(AliasRule()).min(1).max(maxRules))

const chains = () =>
  tableOf<ModelChain>(
    z.strictObject({
      models: z.array(ModelName()).min(1).max(maxChainLength).check(eachOnce(String)),
      on: z.array(z.enum(chainReasons)).min(1).check(eachOnce(String)).optional(),
    }),
  )

const inEditor = <Value>(option: Option<Value>, editor: NonNullable<Option['editor']>): Option<Value> => ({
  ...option,
  editor,
})

/** Names of models that the site makes, and what follows where a model does not serve. */
export const modelNameOptions = {
  /** Alias -> rules, of which the first that fits a call says which models may serve it. */
  ModelAliases: inEditor(json<Table<readonly AliasRule[]>>('models', table({}), aliases), 'aliases'),
  /** Model or alias -> the models that are tried when it does not serve. */
  ModelChains: inEditor(json<Table<ModelChain>>('models', table({}), chains), 'chains'),
}
