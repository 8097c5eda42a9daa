import type { ClassPrices, ModeField, PriceClass, PriceEntry, PriceMode, PriceSchedule, PriceTier } from './price-entry'

/** One letter a class. */
const letters: Readonly<Record<PriceClass, string>> = {
  input: 'i',
  output: 'o',
  cache_read: 'r',
  cache_read_audio: 'R',
  cache_write_5m: 'w',
  cache_write_1h: 'h',
  image_in: 'p',
  image_out: 'P',
  audio_in: 'a',
  audio_out: 'A',
  reasoning: 't',
  per_call: 'C',
  per_second: 'S',
  per_image: 'I',
  per_character: 'X',
  web_search: 'W',
  file_search: 'F',
  code_interpreter: 'K',
  image_generation: 'G',
}
const classes = new Map(Object.entries(letters).map(([name, letter]) => [letter, name as PriceClass]))

/**
 * Returns a name and its prices as one line, the parts separated by spaces: classes as a letter and a number, `>` and a number
 * for a tier, `@name,field=value` for a mode, `*` and a number for its factor, `~` for a schedule. Classes after a tier or a
 * mode are its own, and a tier after a mode is the mode's.
 */
export function writePriceLine(name: string, entry: PriceEntry): string {
  const modes = (entry.modes ?? []).flatMap((mode) => [
    `@${[mode.name, ...Object.entries(mode.match).map((pair) => pair.join('='))].join(',')}`,
    ...(mode.factor === undefined ? [] : [`*${mode.factor}`]),
    ...partsOf(mode.prices ?? {}),
    ...(mode.tiers ?? []).flatMap(tierParts),
  ])
  const schedules = (entry.schedules ?? []).map(
    ({ name: called, zone, days, from, to, factor }) => `~${[called, zone, days.join(''), from, to, factor].join(',')}`,
  )
  return [name, ...partsOf(entry.prices), ...(entry.tiers ?? []).flatMap(tierParts), ...modes, ...schedules].join(' ')
}

const tierParts = ({ above, prices }: PriceTier): string[] => [`>${above}`, ...partsOf(prices)]

const partsOf = (prices: ClassPrices): string[] =>
  Object.entries(letters).flatMap(([name, letter]) => {
    const price = prices[name as PriceClass]
    return price === undefined ? [] : [`${letter}${price}`]
  })

interface TierInMaking {
  readonly above: number
  readonly prices: { [Class in PriceClass]?: number }
}

interface ModeInMaking {
  readonly name: string
  readonly match: { [Field in ModeField]?: string }
  factor?: number
  prices?: { [Class in PriceClass]?: number }
  tiers?: TierInMaking[]
}

/** Reads what `writePriceLine` wrote. */
export function readPriceLine(line: string): PriceEntry {
  const prices: { [Class in PriceClass]?: number } = {}
  const tiers: TierInMaking[] = []
  const modes: ModeInMaking[] = []
  const schedules: PriceSchedule[] = []
  /** Null: the prices of the last mode, which most modes do not have. */
  let target: { [Class in PriceClass]?: number } | null = prices
  for (const part of line.split(' ').slice(1)) {
    const rest = part.slice(1)
    const mode = modes.at(-1)
    const known = classes.get(part.charAt(0))
    if (known) (target ?? (mode ? (target = mode.prices = {}) : prices))[known] = Number(rest)
    else if (part.startsWith('>')) {
      const tier: TierInMaking = { above: Number(rest), prices: {} }
      if (mode) (mode.tiers ??= []).push(tier)
      else tiers.push(tier)
      target = tier.prices
    } else if (part.startsWith('@')) {
      const [name = '', ...match] = rest.split(',')
      const newMode: ModeInMaking = { name, match: Object.fromEntries(match.map((pair) => pair.split('='))) }
      modes.push(newMode)
      target = null
    } else if (part.startsWith('*') && mode) mode.factor = Number(rest)
    else if (part.startsWith('~')) schedules.push(scheduleIn(rest))
  }
  return {
    prices,
    ...(tiers.length > 0 && { tiers }),
    ...(modes.length > 0 && { modes: modes satisfies PriceMode[] }),
    ...(schedules.length > 0 && { schedules }),
  }
}

function scheduleIn(text: string): PriceSchedule {
  const [name = '', zone = '', days = '', from = '', to = '', factor = ''] = text.split(',')
  return { name, zone, days: Array.from(days, Number), from, to, factor: Number(factor) }
}
