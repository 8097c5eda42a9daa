import {
  modeFields,
  priceClasses,
  type ClassPrices,
  type PriceClass,
  type PriceEntry,
  type PriceMode,
  type PriceSchedule,
  type PriceTier,
} from '@tollgate/contract'

/** A number in a field; an empty string is an empty field. */
type Typed = number | string
type PriceFields = Partial<Record<PriceClass, Typed>>

export interface TierFields {
  above: Typed
  prices: PriceFields
}

type MatchFields = Record<(typeof modeFields)[number], string>

export interface ModeFields extends MatchFields {
  name: string
  factor: Typed
  prices: PriceFields
  tiers: TierFields[]
}

export interface ScheduleFields {
  name: string
  zone: string
  /** 1 is Monday, 7 is Sunday. */
  days: string[]
  from: string
  to: string
  factor: Typed
}

/** A price entry in form fields. */
export interface EntryFields {
  prices: PriceFields
  tiers: TierFields[]
  modes: ModeFields[]
  schedules: ScheduleFields[]
}

export const newTier = (): TierFields => ({ above: 200_000, prices: {} })

export const newMode = (): ModeFields => ({
  name: '',
  service_tier: '',
  speed: '',
  region: '',
  batch: '',
  size: '',
  quality: '',
  factor: '',
  prices: {},
  tiers: [],
})

export const newSchedule = (): ScheduleFields => ({
  name: '',
  zone: 'UTC',
  days: ['1', '2', '3', '4', '5', '6', '7'],
  from: '00:00',
  to: '06:00',
  factor: 0.5,
})

const tierFields = ({ above, prices }: PriceTier): TierFields => ({ above, prices: { ...prices } })

/** Returns the fields of an entry without ratios. */
export const entryFields = (entry: PriceEntry | null): EntryFields => ({
  prices: { ...entry?.prices },
  tiers: (entry?.tiers ?? []).map(tierFields),
  modes: (entry?.modes ?? []).map(({ name, match, factor = '', prices = {}, tiers = [] }) => ({
    ...newMode(),
    ...match,
    name,
    factor,
    prices: { ...prices },
    tiers: tiers.map(tierFields),
  })),
  schedules: (entry?.schedules ?? []).map((schedule) => ({ ...schedule, days: schedule.days.map(String) })),
})

/** Returns the entry for fields; empty ones are left out. */
export function entryOfFields({ prices, tiers, modes, schedules }: EntryFields): PriceEntry {
  return {
    prices: pricesOfFields(prices),
    ...(tiers.length > 0 && { tiers: tiers.map(tierOfFields) }),
    ...(modes.length > 0 && { modes: modes.map(modeOfFields) }),
    ...(schedules.length > 0 && { schedules: schedules.map(scheduleOfFields) }),
  }
}

function pricesOfFields(fields: PriceFields): ClassPrices {
  const own = priceClasses.flatMap((name) => {
    const typed = fields[name]
    return typed === undefined || typed === '' ? [] : [[name, Number(typed)] as const]
  })
  return Object.fromEntries(own)
}

const tierOfFields = ({ above, prices }: TierFields): PriceTier => ({
  above: Number(above),
  prices: pricesOfFields(prices),
})

function modeOfFields({ name, factor, prices, tiers, ...match }: ModeFields): PriceMode {
  const own = pricesOfFields(prices)
  return {
    name: name.trim(),
    match: Object.fromEntries(
      modeFields.flatMap((field) => (match[field].trim() ? [[field, match[field].trim()]] : [])),
    ),
    ...(factor !== '' && { factor: Number(factor) }),
    ...(Object.keys(own).length > 0 && { prices: own }),
    ...(tiers.length > 0 && { tiers: tiers.map(tierOfFields) }),
  }
}

const scheduleOfFields = ({ name, zone, days, from, to, factor }: ScheduleFields): PriceSchedule => ({
  name: name.trim(),
  zone: zone.trim(),
  days: days.map(Number).toSorted((one, other) => one - other),
  from,
  to,
  factor: Number(factor),
})

/** What is wrong with a field: a key of the texts. */
export type EntryFault =
  | 'nothing'
  | 'above'
  | 'sameAbove'
  | 'noPrices'
  | 'name'
  | 'sameName'
  | 'match'
  | 'noEffect'
  | 'zone'
  | 'days'
  | 'time'
  | 'factor'

const chargeable = ['input', 'per_call', 'per_image', 'per_second', 'per_character'] as const

/**
 * Returns a notice for a price per second, which is charged for recordings and videos only. Null where there is none.
 */
export function secondsNotice(fields: EntryFields): 'alone' | 'beside' | null {
  const { prices } = entryOfFields(fields)
  if (prices.per_second === undefined) return null
  return chargeable.some((name) => name !== 'per_second' && prices[name] !== undefined) ? 'beside' : 'alone'
}

/** Returns faults by the path of their field. */
export function entryFaults(fields: EntryFields): Record<string, EntryFault> {
  const faults: Record<string, EntryFault> = {}
  const { prices } = entryOfFields(fields)
  if (chargeable.every((name) => prices[name] === undefined)) faults['prices.input'] = 'nothing'
  tierFaults(fields.tiers, 'tiers', faults)
  const names = new Set<string>()
  fields.modes.forEach((mode, index) => {
    const path = `modes.${index}`
    const name = mode.name.trim()
    if (name === '') faults[`${path}.name`] = 'name'
    else if (names.has(name)) faults[`${path}.name`] = 'sameName'
    names.add(name)
    const { match, factor, prices: own, tiers } = modeOfFields(mode)
    if (Object.keys(match).length === 0) faults[`${path}.service_tier`] = 'match'
    if (factor === undefined && !own && !tiers) faults[`${path}.factor`] = 'noEffect'
    tierFaults(mode.tiers, `${path}.tiers`, faults)
  })
  fields.schedules.forEach((schedule, index) => {
    const path = `schedules.${index}`
    if (schedule.name.trim() === '') faults[`${path}.name`] = 'name'
    if (!isZone(schedule.zone.trim())) faults[`${path}.zone`] = 'zone'
    if (schedule.days.length === 0) faults[`${path}.days`] = 'days'
    for (const end of ['from', 'to'] as const) if (!timeOfDay.test(schedule[end])) faults[`${path}.${end}`] = 'time'
    if (schedule.factor === '') faults[`${path}.factor`] = 'factor'
  })
  return faults
}

function tierFaults(tiers: readonly TierFields[], path: string, faults: Record<string, EntryFault>): void {
  const bounds = new Set<number>()
  tiers.forEach((tier, index) => {
    const above = Number(tier.above)
    if (!Number.isSafeInteger(above) || above < 1) faults[`${path}.${index}.above`] = 'above'
    else if (bounds.has(above)) faults[`${path}.${index}.above`] = 'sameAbove'
    bounds.add(above)
    if (Object.keys(pricesOfFields(tier.prices)).length === 0) faults[`${path}.${index}.prices.input`] = 'noPrices'
  })
}

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/

function isZone(zone: string): boolean {
  if (zone === '') return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}
