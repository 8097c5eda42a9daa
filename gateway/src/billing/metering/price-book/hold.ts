import { quotaOf, type Amounts } from '@tollgate/contract/price-formula'
import { noUsage, type PossibleUse, type Usage } from '@tollgate/dialects'
import type { PriceClass, PriceMode, PriceSchedule } from '@tollgate/models'

import { amountsOf } from './amounts'
import type { CallTerms, PinnedPrice } from './charge'
import type { Dearest } from './dearest'
import type { Price } from './price'
import { asUsual, variantOf, type ServedBy, type Variant } from './variant'

/** How much longer a prompt can be than its estimate, which is based on the length of its text. */
const promptSlack = 2

/**
 * Returns everything that a call may be charged by: each tier that its input may reach, as requested or standard, in each region, size
 * and quality that the vendor may choose. For most models that is one.
 */
export function possibleVariants(pinned: PinnedPrice, estimated: number): readonly Variant[] {
  const { price, schedule, requested, media } = pinned
  const promptTokens = media === null ? estimated : Math.max(estimated - media.counted, 0) + media.image + media.audio
  const reach = reachOf(price)
  const { borders } = reach
  let first = 0
  while (first < borders.length && promptTokens > (borders[first] ?? 0)) first += 1
  let last = first
  while (last < borders.length && promptTokens * promptSlack > (borders[last] ?? 0)) last += 1
  if (requested !== asUsual)
    return between(first, last).flatMap((tier) => variantsAt(price, { reach, tier, schedule, requested }))
  const known = reach.usual.get(schedule) ?? []
  if (known.length === 0) reach.usual.set(schedule, known)
  const usual = (tier: number) => (known[tier] ??= variantsAt(price, { reach, tier, schedule, requested }))
  return first === last ? usual(first) : between(first, last).flatMap(usual)
}

/** What decides how many variants a price has. */
interface Reach {
  /** The lengths above which tiers begin, the shortest first. */
  readonly borders: readonly number[]
  /** Each combination of regions, sizes and qualities that modes are for; and none. */
  readonly ways: readonly ServedBy[]
  /** The variants of calls that request nothing special: by schedule, and by how many borders their input is above. */
  readonly usual: Map<PriceSchedule | null, (readonly Variant[])[]>
}

const reaches = new WeakMap<Price, Reach>()

function reachOf(price: Price): Reach {
  let reach = reaches.get(price)
  if (!reach) {
    const { tiers = [], modes = [] } = price.entry
    const borders = [tiers, ...modes.map((mode) => mode.tiers ?? [])].flat().map(({ above }) => above)
    reach = {
      borders: [...new Set(borders)].sort((one, other) => one - other),
      ways: waysOf(modes),
      usual: new Map(),
    }
    reaches.set(price, reach)
  }
  return reach
}

const chosenByVendor = ['region', 'size', 'quality'] as const

function waysOf(modes: readonly PriceMode[]): readonly ServedBy[] {
  const ways: ServedBy[] = [asUsual]
  for (const field of chosenByVendor) {
    const values = new Set(modes.flatMap(({ match }) => match[field] ?? []))
    const chosen = [...values].flatMap((value) => ways.map((way): ServedBy => ({ ...way, [field]: value })))
    ways.push(...chosen)
  }
  return ways
}

interface At extends Pick<CallTerms, 'schedule' | 'requested'> {
  readonly reach: Reach
  /** How many borders the input is above. */
  readonly tier: number
}

function variantsAt(price: Price, { reach, tier, schedule, requested }: At): readonly Variant[] {
  const inputTokens = tier === 0 ? 0 : (reach.borders[tier - 1] ?? 0) + 1
  const { size, quality } = requested
  const open = reach.ways.filter((way) => isOpen(size, way.size) && isOpen(quality, way.quality))
  const drawn = { ...(size !== undefined && { size }), ...(quality !== undefined && { quality }) }
  const ways = open.flatMap((way) =>
    requested === asUsual
      ? [way]
      : [
          { ...drawn, ...way },
          { ...requested, ...way },
        ],
  )
  return ways.map((served) => variantOf(price, { inputTokens, served, schedule }))
}

/** Whether a call may be served in a way that nothing was asked of. */
const isOpen = (asked: string | undefined, way: string | undefined): boolean => asked === undefined || way === undefined

const between = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Returns the most that a prompt and this much output, all choices together, may cost. */
export function dearestQuota(variants: readonly Variant[], asked: Output): number {
  let most = 0
  for (const variant of variants) most = Math.max(most, quotaOf(variant.weights, held(variant, asked)))
  return most
}

/** The most that a call may use. */
export interface Output extends Pick<PinnedPrice, 'units' | 'possible' | 'media'> {
  /** Estimated. */
  readonly promptTokens: number
  readonly outputTokens: number
}

/** Returns the most tokens that a prompt of this estimated length may have, with those of its images and recordings. */
export function possiblePrompt({ media }: Pick<PinnedPrice, 'media'>, estimated: number): PromptTokens {
  if (media === null) return { promptTokens: Math.max(estimated, 1), imageTokens: 0, audioInputTokens: 0 }
  const { image, audio, counted } = media
  return { promptTokens: Math.max(estimated - counted, 1) + image + audio, imageTokens: image, audioInputTokens: audio }
}

type PromptTokens = Pick<Usage, 'promptTokens' | 'imageTokens' | 'audioInputTokens'>

/** All of the prompt and all of the output may be of the most expensive kind that the request permits. */
function held({ dearest, weights: { exact } }: Variant, asked: Output): Amounts {
  const { outputTokens, units, possible } = asked
  const { cacheMarks, isSpoken, tools } = possible
  const { promptTokens, imageTokens, audioInputTokens } = possiblePrompt(asked, asked.promptTokens)
  const usage = {
    ...noUsage,
    promptTokens,
    imageTokens,
    audioInputTokens,
    completionTokens: outputTokens,
    toolCalls: tools,
  }
  const amounts = amountsOf(usage, units)
  const prompt = promptClass(dearest, cacheMarks)
  const output = isSpoken ? dearest.spoken : dearest.written
  const isPlain = prompt === 'input' && output === 'output'
  if (isPlain && asked.media === null) return amounts
  const read = { ...amounts, input: 0, output: 0, [prompt]: amounts.input, [output]: outputTokens }
  if (asked.media === null) return read
  // Vendors report some media only as part of the whole prompt.
  const media = (['image_in', 'audio_in'] as const).filter((name) => exact[name] < exact[prompt])
  return media.reduce((sum, name) => ({ ...sum, [name]: 0, [prompt]: sum[prompt] + amounts[name] }), read)
}

function promptClass(dearest: Dearest, marks: PossibleUse['cacheMarks']): PriceClass {
  if (marks === null) return dearest.prompt
  return marks === '5m' ? dearest.promptForMinutes : dearest.promptForHour
}

/** Returns the most that a token of output may cost; 0 where the length of a response does not change its price. */
export function outputTokenCost(variants: readonly Variant[], { isSpoken }: Pick<PossibleUse, 'isSpoken'>): number {
  const costs = variants.map(({ dearest, weights: { exact, scale } }) => {
    const kind = isSpoken ? dearest.spoken : dearest.written
    return Number(exact[kind]) / Number(scale)
  })
  return Math.max(0, ...costs)
}
