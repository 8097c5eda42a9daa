import { callNeeds, chainReasons, type CallNeed, type ChainReason } from '@tollgate/contract'
import * as z from 'zod'

const Amount = z.number().transform(String).default('')

const Target = z.strictObject({ model: z.string(), weight: z.number().transform(String) })

const Rule = z
  .strictObject({
    groups: z.array(z.string()).default([]),
    min_tokens: Amount,
    max_tokens: Amount,
    needs: z.array(z.enum(callNeeds)).default([]),
    hours: z.tuple([z.number(), z.number()]).optional(),
    targets: z.array(Target),
  })
  .transform(({ hours, ...rule }) => ({ ...rule, from: String(hours?.[0] ?? ''), to: String(hours?.[1] ?? '') }))

/** A rule as it is typed. */
export interface TypedRule {
  readonly groups: readonly string[]
  readonly min_tokens: string
  readonly max_tokens: string
  readonly needs: readonly CallNeed[]
  readonly from: string
  readonly to: string
  readonly targets: readonly TypedTarget[]
}

export interface TypedTarget {
  readonly model: string
  readonly weight: string
}

export interface TypedAlias {
  readonly name: string
  readonly rules: readonly TypedRule[]
}

export interface TypedChain {
  readonly name: string
  readonly models: readonly string[]
  readonly on: readonly ChainReason[]
}

export const emptyTarget: TypedTarget = { model: '', weight: '1' }
export const emptyRule: TypedRule = {
  groups: [],
  min_tokens: '',
  max_tokens: '',
  needs: [],
  from: '',
  to: '',
  targets: [emptyTarget],
}

const Aliases = z.record(z.string(), z.array(Rule))
const Chains = z.record(
  z.string(),
  z.strictObject({ models: z.array(z.string()), on: z.array(z.enum(chainReasons)).default([...chainReasons]) }),
)

/** Returns the aliases of a JSON text; undefined for any other text. */
export const aliasesOf = (text: string): readonly TypedAlias[] | undefined =>
  entriesOf(text, Aliases)?.map(([name, rules]) => ({ name, rules }))

/** Returns the chains of a JSON text; undefined for any other text. */
export const chainsOf = (text: string): readonly TypedChain[] | undefined =>
  entriesOf(text, Chains)?.map(([name, chain]) => ({ name, ...chain }))

function entriesOf<Value>(
  text: string,
  shape: z.ZodType<Readonly<Record<string, Value>>>,
): readonly [string, Value][] | undefined {
  try {
    return Object.entries(shape.parse(text.trim() === '' ? {} : JSON.parse(text)))
  } catch {
    return undefined
  }
}

/** Returns a number, or the text itself if it is not one, which the validation refuses. */
const numberOf = (typed: string): number | string =>
  typed.trim() !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed

/** Returns the JSON text of aliases. */
export const aliasText = (aliases: readonly TypedAlias[]): string =>
  JSON.stringify(Object.fromEntries(aliases.map(({ name, rules }) => [name, rules.map(writeRule)])))

const writeRule = ({ groups, min_tokens: min, max_tokens: max, needs, from, to, targets }: TypedRule) => ({
  ...(groups.length > 0 && { groups }),
  ...(min !== '' && { min_tokens: numberOf(min) }),
  ...(max !== '' && { max_tokens: numberOf(max) }),
  ...(needs.length > 0 && { needs }),
  ...(from + to !== '' && { hours: [numberOf(from), numberOf(to)] }),
  targets: targets.map(({ model, weight }) => ({ model, weight: numberOf(weight) })),
})

/** Returns the JSON text of chains. */
export const chainText = (chains: readonly TypedChain[]): string =>
  JSON.stringify(
    Object.fromEntries(
      chains.map(({ name, models, on }) => [name, { models, ...(on.length < chainReasons.length && { on }) }]),
    ),
  )
