import { noUsage, type PossibleUse } from '@tollgate/dialects'
import type { PriceClass } from '@tollgate/models'

import { amountsOf, type Amounts, type Units } from './amounts'
import type { CallTerms } from './charge'
import type { Dearest } from './dearest'
import { asUsual, variantOf, type ServedBy, type Variant } from './variant'
import { quotaOf } from './weights'

/** How much longer a prompt can be than the estimate of it, which goes by the length of its text. */
const promptSlack = 2

/**
 * Returns everything that a call may be charged by: each tier that its input may reach, as asked or as usual, in each region that
 * the vendor may choose. For most models that is one.
 */
export function possibleVariants({ price, schedule, asked }: CallTerms, promptTokens: number): readonly Variant[] {
  const { tiers = [], modes = [] } = price.entry
  const isFlat = tiers.length === 0 && asked === asUsual && modes.every(({ match }) => match.region === undefined)
  if (isFlat && !modes.some((mode) => mode.tiers?.length))
    return [variantOf(price, { inputTokens: promptTokens, served: asUsual, schedule })]
  const borders = [tiers, ...modes.map((mode) => mode.tiers ?? [])].flat().map(({ above }) => above + 1)
  const lengths = [promptTokens, ...borders.filter((one) => one > promptTokens && one <= promptTokens * promptSlack)]
  const regions = [undefined, ...new Set(modes.flatMap(({ match }) => match.region ?? []))]
  const ways: ServedBy[] = regions.flatMap((region) => [{ region }, { ...asked, region }])
  return lengths.flatMap((inputTokens) => ways.map((served) => variantOf(price, { inputTokens, served, schedule })))
}

/** Returns the dearest that a prompt and this much output, all answers together, may cost. */
export function dearestQuota(variants: readonly Variant[], asked: Output): number {
  let most = 0
  for (const variant of variants) most = Math.max(most, quotaOf(variant.weights, held(variant, asked)))
  return most
}

/** What a call may use at most. */
export interface Output {
  readonly promptTokens: number
  readonly outputTokens: number
  readonly units: Units
  readonly possible: PossibleUse
}

/** All of the prompt and all of the output may be of the dearest kind that the request permits. */
function held({ dearest }: Variant, { promptTokens, outputTokens, units, possible }: Output): Amounts {
  const { cacheMarks, isSpoken, tools } = possible
  const usage = {
    ...noUsage,
    promptTokens: Math.max(promptTokens, 1),
    completionTokens: outputTokens,
    toolCalls: tools,
  }
  const amounts = amountsOf(usage, units)
  const prompt = promptClass(dearest, cacheMarks)
  const output = isSpoken ? dearest.spoken : dearest.written
  if (prompt === 'input' && output === 'output') return amounts
  return { ...amounts, input: 0, output: 0, [prompt]: usage.promptTokens, [output]: outputTokens }
}

function promptClass(dearest: Dearest, marks: PossibleUse['cacheMarks']): PriceClass {
  if (marks === null) return dearest.prompt
  return marks === '5m' ? dearest.promptForMinutes : dearest.promptForHour
}

/** Returns what a token of output may cost at most; 0 where the length of an answer changes nothing about its price. */
export function outputTokenCost(variants: readonly Variant[], { isSpoken }: Pick<PossibleUse, 'isSpoken'>): number {
  const costs = variants.map(({ dearest, weights: { exact, scale } }) => {
    const kind = isSpoken ? dearest.spoken : dearest.written
    return Number(exact[kind]) / Number(scale)
  })
  return Math.max(0, ...costs)
}
