import { tokenClasses, type ClassPrices, type TokenClass } from '@tollgate/models'

/** The options that tell prices as ratios: the specification's view of a price entry. */
export const ratioOptions = [
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
] as const
export type RatioOption = (typeof ratioOptions)[number]

export type RatioView = { readonly [Option in RatioOption]?: number }

/** Ratio 1 is 2 US dollars for a million tokens. */
const dollarsOfRatio = 2
/** What input costs those who call a model without a price: 75 US dollars for a million tokens. */
const unknownInput = 75

/** The class that each ratio is told of, and the class it is a ratio to. */
const told = {
  CompletionRatio: { of: 'output', to: 'input' },
  CacheRatio: { of: 'cache_read', to: 'input' },
  CreateCacheRatio: { of: 'cache_write_5m', to: 'input' },
  ImageRatio: { of: 'image_in', to: 'input' },
  AudioRatio: { of: 'audio_in', to: 'input' },
  AudioCompletionRatio: { of: 'audio_out', to: 'audio_in' },
} as const satisfies Partial<Record<RatioOption, { readonly of: TokenClass; readonly to: TokenClass }>>

type PartOption = keyof typeof told

/**
 * Returns an operator's prices as ratios. A class that is not told has none, nor has one whose base costs nothing. `listInput`
 * is what input costs where the operator tells nothing.
 */
export function ratioView(prices: ClassPrices, listInput?: number): RatioView {
  const view: Partial<Record<RatioOption, number>> = {}
  if (prices.input !== undefined) view.ModelRatio = exact(prices.input / dollarsOfRatio)
  if (prices.per_call !== undefined) view.ModelPrice = prices.per_call
  for (const option of ratioOptions) {
    if (option === 'ModelRatio' || option === 'ModelPrice') continue
    const price = prices[told[option].of]
    const base = baseOf(option, prices, listInput)
    if (price !== undefined && base > 0) view[option] = exact(price / base)
  }
  return view
}

/**
 * Returns the prices with one ratio changed, or removed where it is undefined. What other ratios are told of keeps its ratio,
 * so the order in which ratios are set does not matter.
 */
export function withRatio(
  prices: ClassPrices,
  option: RatioOption,
  ratio: number | undefined,
  listInput?: number,
): ClassPrices {
  if (option === 'ModelPrice') return changed(prices, 'per_call', ratio)
  if (option === 'ModelRatio') {
    const before = baseInput(prices, listInput)
    const next = changed(prices, 'input', ratio === undefined ? undefined : exact(ratio * dollarsOfRatio))
    return scaled(next, derived, baseInput(next, listInput) / before)
  }
  const { of } = told[option]
  const price = ratio === undefined ? undefined : exact(ratio * baseOf(option, prices, listInput))
  const next = changed(prices, of, price)
  const followers = option === 'AudioRatio' ? audioOut : option === 'CreateCacheRatio' ? hourWrites : []
  const was = prices[of] ?? baseInput(prices, listInput)
  return scaled(next, followers, (price ?? baseInput(prices, listInput)) / was)
}

const audioOut: readonly TokenClass[] = ['audio_out']
const hourWrites: readonly TokenClass[] = ['cache_write_1h']
/** Everything that is a ratio of the input. */
const derived = tokenClasses.filter((name) => name !== 'input')

const baseInput = ({ input }: ClassPrices, listInput: number | undefined): number => input ?? listInput ?? unknownInput

const baseOf = (option: PartOption, prices: ClassPrices, listInput: number | undefined): number =>
  (told[option].to === 'audio_in' ? prices.audio_in : undefined) ?? baseInput(prices, listInput)

function changed(prices: ClassPrices, name: keyof ClassPrices, price: number | undefined): ClassPrices {
  const { [name]: _, ...others } = prices
  return price === undefined ? others : { ...others, [name]: price }
}

/** Multiplies classes that are told. Those that would lose their ratio, as the base was or becomes nothing, are left out. */
function scaled(prices: ClassPrices, names: readonly TokenClass[], factor: number): ClassPrices {
  if (factor === 1) return prices
  const next: Partial<Record<keyof ClassPrices, number>> = { ...prices }
  for (const name of names) {
    const price = prices[name]
    if (price === undefined) continue
    if (Number.isFinite(factor) && factor > 0) next[name] = exact(price * factor)
    else delete next[name]
  }
  return next
}

/** Without the noise of binary fractions. */
const exact = (value: number): number => Number(value.toPrecision(12))
