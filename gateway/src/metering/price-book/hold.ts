import { noUsage } from '@tollgate/dialects'

import { amountsOf, type Amounts, type Units } from './amounts'
import type { PinnedPrice } from './charge'
import { asUsual, variantOf, type ServedBy, type Variant } from './variant'
import { quotaOf } from './weights'

/** How much longer a prompt can be than the estimate of it, which goes by the length of its text. */
const promptSlack = 2

/**
 * Returns everything that a call may be charged by: each tier that its input may reach, as asked or as usual, in each region that
 * the vendor may choose. For most models that is one.
 */
export function possibleVariants({ price, schedule, asked }: PinnedPrice, promptTokens: number): readonly Variant[] {
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
  for (const variant of variants)
    if (!variant.weights.isFree) most = Math.max(most, quotaOf(variant.weights, held(variant, asked)))
  return most
}

/** What a call may use at most. */
export interface Output {
  readonly promptTokens: number
  readonly outputTokens: number
  readonly units: Units
}

/** All output may be of the dearest kind that a model writes by itself. */
function held(variant: Variant, { promptTokens, outputTokens, units }: Output): Amounts {
  const { exact } = variant.weights
  const kind = (['image_out', 'reasoning'] as const).reduce<'output' | 'image_out' | 'reasoning'>(
    (dearest, name) => (exact[name] > exact[dearest] ? name : dearest),
    'output',
  )
  const usage = { ...noUsage, promptTokens: Math.max(promptTokens, 1), completionTokens: outputTokens }
  const amounts = amountsOf(usage, units)
  return kind === 'output' ? amounts : { ...amounts, output: 0, [kind]: outputTokens }
}

/** Returns what a token of output may cost at most; 0 where the length of an answer changes nothing about its price. */
export function outputTokenCost(variants: readonly Variant[]): number {
  const costs = variants.map(({ weights: { exact, scale } }) => {
    const dearest = [exact.output, exact.image_out, exact.reasoning].reduce((one, other) => (other > one ? other : one))
    return Number(dearest) / Number(scale)
  })
  return Math.max(0, ...costs)
}
