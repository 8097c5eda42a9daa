import type { ClassPrices, PriceClass, PriceEntry, PriceMode, PriceSchedule, PriceTier } from '../index'

/** What one source charges for a model at one host. */
export interface PriceListing {
  readonly source: 'litellm' | 'models.dev'
  readonly host: string
  readonly name: string
  readonly entry: PriceEntry
  /** The day on which the vendor stops serving it, as `2026-07-24`. */
  readonly retiresOn: string | null
}

type Members = Readonly<Record<string, unknown>>
type Source = readonly (readonly [member: string, into: PriceClass])[]

const perToken: Source = [
  ['input_cost_per_token', 'input'],
  ['output_cost_per_token', 'output'],
  ['cache_read_input_token_cost', 'cache_read'],
  ['cache_read_input_audio_token_cost', 'cache_read_audio'],
  ['cache_creation_input_token_cost', 'cache_write_5m'],
  ['cache_creation_input_token_cost_above_1hr', 'cache_write_1h'],
  ['input_cost_per_image_token', 'image_in'],
  ['output_cost_per_image_token', 'image_out'],
  ['input_cost_per_audio_token', 'audio_in'],
  ['output_cost_per_audio_token', 'audio_out'],
  ['output_cost_per_reasoning_token', 'reasoning'],
]

/** Reads the prices of LiteLLM's map. @throws TypeError when it has not that shape. */
export function readLiteLlmPrices(document: unknown): PriceListing[] {
  const models = membersOf(membersOf(document)['models'] ?? document)
  return Object.entries(models).flatMap(([name, value]) => {
    const model = membersOf(value)
    const host = model['litellm_provider']
    const entry = liteLlmEntry(model)
    if (typeof host !== 'string' || entry === null) return []
    const retires = model['deprecation_date']
    return { source: 'litellm', host, name, entry, retiresOn: typeof retires === 'string' ? retires : null }
  })
}

function liteLlmEntry(model: Members): PriceEntry | null {
  const ranges = Array.isArray(model['tiered_pricing']) ? model['tiered_pricing'].map(membersOf) : []
  const tokens = { ...tokenPrices(ranges[0] ?? {}), ...tokenPrices(model) }
  const prices: ClassPrices = {
    ...(isPriced(tokens) || !hasUnits(model) ? tokens : unitPrices(model)),
    ...tools(model),
  }
  if (Object.keys(prices).length === 0) return null
  const { modes, schedules } = modesOf(model, tokens)
  return withoutEmpty({
    prices,
    tiers: [...rangeTiers(ranges), ...suffixTiers(model, '')],
    modes: [...(modes ?? []), ...resolutionModes(model)],
    schedules,
  })
}

const resolutionPrice = /^output_cost_per_second_(\d+[pk])$/

/** What a second of video costs at each resolution. */
const resolutionModes = (model: Members): PriceMode[] =>
  Object.entries(model).flatMap(([member, value]) => {
    const name = resolutionPrice.exec(member)?.[1]
    const price = amount(value)
    if (name === undefined || !price || model['mode'] !== 'video_generation') return []
    return [{ name, match: { size: name }, prices: { per_second: Number(price.toPrecision(8)) } }]
  })

const tokenPrices = (model: Members, suffix = ''): ClassPrices =>
  collect(perToken, (member) => {
    const price = amount(model[member + suffix])
    return price === null ? null : perMillion(price)
  })

const hasUnits = (model: Members): boolean => Object.keys(unitPrices(model)).length > 0

/** What is not sold by tokens. A picture by its pixels is one of 1024 x 1024. */
function unitPrices(model: Members): ClassPrices {
  const first = (...names: string[]) => names.map((name) => amount(model[name])).find((price) => price !== null) ?? null
  const pixel = first('output_cost_per_pixel', 'input_cost_per_pixel')
  const character = first('input_cost_per_character', 'output_cost_per_character')
  const prices: Partial<Record<PriceClass, number | null>> = {
    per_call: first('input_cost_per_request', 'input_cost_per_query'),
    per_second:
      model['mode'] === 'video_generation'
        ? first('output_cost_per_second', 'output_cost_per_video_per_second')
        : first('input_cost_per_second', 'output_cost_per_second'),
    per_image: first('output_cost_per_image', 'input_cost_per_image') ?? (pixel === null ? null : pixel * 1024 * 1024),
    per_character: character === null ? null : perMillion(character),
  }
  return Object.fromEntries(
    Object.entries(prices).flatMap(([name, price]) => (price ? [[name, Number(price.toPrecision(8))]] : [])),
  )
}

function tools(model: Members): ClassPrices {
  const thousand = (value: unknown, times: number): number | null => {
    const price = amount(value)
    return price ? Number((price * times).toPrecision(8)) : null
  }
  const search = membersOf(model['search_context_cost_per_query'])['search_context_size_medium']
  const each: Partial<Record<PriceClass, number | null>> = {
    web_search: thousand(search, 1000),
    file_search: thousand(model['file_search_cost_per_1k_calls'], 1),
    code_interpreter: thousand(model['code_interpreter_cost_per_session'], 1000),
  }
  return Object.fromEntries(Object.entries(each).flatMap(([name, price]) => (price === null ? [] : [[name, price]])))
}

const thresholds = [100, 128, 200, 256, 272, 512] as const

/** What is added to a member's name for long inputs, and behind it for a mode. */
function suffixTiers(model: Members, mode: string): PriceTier[] {
  return thresholds.flatMap((thousands) => {
    const prices = tokenPrices(model, `_above_${thousands}k_tokens${mode}`)
    return isPriced(prices) ? { above: thousands * 1000, prices } : []
  })
}

const rangeTiers = (ranges: readonly Members[]): PriceTier[] =>
  ranges.slice(1).flatMap((range) => {
    const [from] = Array.isArray(range['range']) ? range['range'] : []
    const prices = tokenPrices(range)
    return typeof from === 'number' && from > 0 && isPriced(prices) ? { above: from, prices } : []
  })

const liteLlmModes = [
  ['_priority', 'priority', { service_tier: 'priority' }],
  ['_flex', 'flex', { service_tier: 'flex' }],
  ['_ultrafast', 'ultrafast', { service_tier: 'ultrafast' }],
  ['_batches', 'batch', { batch: 'true' }],
] as const

function modesOf(model: Members, base: ClassPrices): Pick<PriceEntry, 'modes' | 'schedules'> {
  const modes: PriceMode[] = liteLlmModes.flatMap(([suffix, name, match]) => {
    const prices = tokenPrices(model, suffix)
    if (!isPriced(prices)) return []
    const factor = commonFactor(base, prices)
    const tiers = suffixTiers(model, suffix)
    const scaled = tiers.every((tier) => {
      const own = suffixTiers(model, '').find(({ above }) => above === tier.above)
      return own !== undefined && commonFactor(own.prices, tier.prices) === factor
    })
    if (factor !== null && scaled) return { name, match, factor }
    return { name, match, prices, ...(tiers.length > 0 && { tiers }) }
  })
  const own = membersOf(model['provider_specific_entry'])
  const fast = amount(own['fast'])
  const us = amount(own['us'])
  if (fast) modes.push({ name: 'fast', match: { speed: 'fast' }, factor: fast })
  if (us) modes.push({ name: 'us', match: { region: 'us' }, factor: us })
  return { modes, schedules: schedulesOf(membersOf(model['off_peak_pricing']), base) }
}

function schedulesOf(offPeak: Members, base: ClassPrices): PriceSchedule[] {
  const factor = commonFactor(base, tokenPrices(offPeak))
  const windows = Array.isArray(offPeak['windows']) ? offPeak['windows'].map(membersOf) : []
  if (factor === null) return []
  return windows.flatMap((window) => {
    const days = Array.isArray(window['weekdays']) ? window['weekdays'].map(Number) : [1, 2, 3, 4, 5, 6, 7]
    return [window['hours_utc']].flat().flatMap((hours) => {
      const [from, to] = String(hours).split('-')
      return from && to ? { name: 'off-peak', zone: 'UTC', days, from, to, factor } : []
    })
  })
}

/** The number that all classes of `prices` are multiplied by; null when they do not agree or one is missing. */
function commonFactor(base: ClassPrices, prices: ClassPrices): number | null {
  const ratios = Object.entries(prices).map(([name, price]) => price / (base[name as PriceClass] ?? 0))
  const [first] = ratios
  if (first === undefined || !Number.isFinite(first) || prices.input === undefined) return null
  if (ratios.some((ratio) => !(Math.abs(ratio - first) <= first * 1e-3))) return null
  return Number((prices.input / (base.input ?? 1)).toPrecision(6))
}

/** Reads the prices of models.dev. @throws TypeError when they have not that shape. */
export function readModelsDevPrices(document: unknown): PriceListing[] {
  const hosts = membersOf(membersOf(document)['providers'] ?? document)
  return Object.entries(hosts).flatMap(([host, value]) =>
    Object.entries(membersOf(membersOf(value)['models'] ?? value)).flatMap(([name, about]) => {
      const entry = modelsDevEntry(membersOf(about))
      return entry === null ? [] : { source: 'models.dev' as const, host, name, entry, retiresOn: null }
    }),
  )
}

const modelsDevClasses: Source = [
  ['cached_input', 'cache_read'],
  ['cache_input', 'cache_read'],
  ['cached_write', 'cache_write_5m'],
  ['input', 'input'],
  ['output', 'output'],
  ['cache_read', 'cache_read'],
  ['cache_write', 'cache_write_5m'],
  ['input_audio', 'audio_in'],
  ['output_audio', 'audio_out'],
  ['reasoning', 'reasoning'],
]

const modelsDevPrices = (cost: Members): ClassPrices => collect(modelsDevClasses, (member) => amount(cost[member]))

function modelsDevEntry(model: Members): PriceEntry | null {
  const cost = membersOf(model['cost'])
  const prices = modelsDevPrices(cost)
  if (Object.keys(prices).length === 0) return null
  const long = modelsDevPrices(membersOf(cost['context_over_200k']))
  const listed = (Array.isArray(cost['tiers']) ? cost['tiers'] : []).flatMap((value): PriceTier[] => {
    const tier = membersOf(value)
    const above = membersOf(tier['tier'])['size']
    return typeof above === 'number' ? [{ above, prices: modelsDevPrices(tier) }] : []
  })
  const tiers = listed.length > 0 || !isPriced(long) ? listed : [{ above: 200_000, prices: long }]
  const modes = Object.entries(membersOf(membersOf(model['experimental'])['modes'])).flatMap(
    ([, value]): PriceMode[] => {
      const mode = membersOf(value)
      const { service_tier: tier, speed } = membersOf(membersOf(mode['provider'])['body'])
      const own = modelsDevPrices(membersOf(mode['cost']))
      const factor = commonFactor(prices, own)
      const price = factor === null ? { prices: own } : { factor }
      if (typeof tier === 'string') return [{ name: tier, match: { service_tier: tier }, ...price }]
      return typeof speed === 'string' ? [{ name: speed, match: { speed }, ...price }] : []
    },
  )
  return withoutEmpty({ prices, tiers, modes })
}

function withoutEmpty({ prices, tiers = [], modes = [], schedules = [] }: PriceEntry): PriceEntry {
  const sorted = tiers.toSorted((one, other) => one.above - other.above)
  return {
    prices,
    ...(sorted.length > 0 && { tiers: sorted }),
    ...(modes.length > 0 && { modes }),
    ...(schedules.length > 0 && { schedules }),
  }
}

const collect = (source: Source, priceIn: (member: string) => number | null): ClassPrices =>
  Object.fromEntries(
    source.flatMap(([member, name]) => {
      const price = priceIn(member)
      return price === null ? [] : [[name, price]]
    }),
  )

const isPriced = (prices: ClassPrices): boolean => Object.values(prices).some((price) => price > 0)

const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null

const perMillion = (price: number): number => Number((price * 1e6).toPrecision(8))

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
