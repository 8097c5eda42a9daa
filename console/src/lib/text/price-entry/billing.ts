import {
  type ClassPrices,
  type PriceClass,
  priceClasses,
  type PriceEntry,
  type PriceSchedule,
  tokenClasses,
  unitClasses,
} from '@tollgate/contract'

import { listedPrice } from './variant'

/** How most of a model's price is charged. */
export const billingKinds = ['volume', 'call', 'image', 'second', 'character'] as const
export type BillingKind = (typeof billingKinds)[number]

export function billingOf({ prices }: PriceEntry): BillingKind {
  if (prices.per_call !== undefined) return 'call'
  if (prices.input !== undefined) return 'volume'
  if (prices.per_image !== undefined) return 'image'
  return prices.per_second === undefined && prices.per_character !== undefined ? 'character' : 'second'
}

/** Returns the classes that an entry has in any of its tiers and modes, and those of writing to a cache that it reads from, in list order. */
export function listedClasses(entry: PriceEntry): PriceClass[] {
  const priced = new Set(pricedClasses(entry))
  return priceClasses.filter((name) => priced.has(name) || listedPrice(entry.prices, name) !== undefined)
}

/** Returns the classes that an entry has in any of its tiers and modes, in list order. */
export function pricedClasses({ prices, tiers = [], modes = [] }: PriceEntry): PriceClass[] {
  const parts = [prices, ...tiers.map((tier) => tier.prices), ...modes.flatMap((mode) => modeParts(mode))]
  return priceClasses.filter((name) => parts.some((part) => part[name] !== undefined))
}

const modeParts = ({ prices = {}, tiers = [] }: NonNullable<PriceEntry['modes']>[number]): ClassPrices[] => [
  prices,
  ...tiers.map((tier) => tier.prices),
]

const ofTokens: ReadonlySet<PriceClass> = new Set(tokenClasses)
const ofUnits: ReadonlySet<PriceClass> = new Set(unitClasses)

/** The unit of a class price. */
type PriceUnit = 'million-tokens' | 'million-characters' | 'call' | 'second' | 'image' | 'thousand-calls'

export function unitOf(name: PriceClass): PriceUnit {
  if (ofTokens.has(name)) return 'million-tokens'
  if (!ofUnits.has(name)) return 'thousand-calls'
  if (name === 'per_character') return 'million-characters'
  if (name === 'per_call') return 'call'
  return name === 'per_second' ? 'second' : 'image'
}

/** Hours of one name and factor, which the price book stores as separate schedules. */
export interface Hours {
  readonly name: string
  readonly zone: string
  readonly factor: number
  readonly spans: readonly Pick<PriceSchedule, 'days' | 'from' | 'to'>[]
}

/** Returns schedules grouped by name, zone and factor. */
export function hoursOf(schedules: readonly PriceSchedule[]): Hours[] {
  const groups = Map.groupBy(schedules, ({ name, zone, factor }) => JSON.stringify([name, zone, factor]))
  return [...groups.values()].flatMap((spans) => {
    const [first] = spans
    return first ? [{ name: first.name, zone: first.zone, factor: first.factor, spans }] : []
  })
}
