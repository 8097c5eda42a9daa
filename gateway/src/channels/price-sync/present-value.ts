import { priceClasses, type PriceClass, type PriceEntry } from '@tollgate/models'

import { billingOf, effectivePrice, tierPrice } from './effective-prices'
import type { FieldValue } from './price-diff'

const classes: ReadonlySet<string> = new Set(priceClasses)
const isClass = (name: string): name is PriceClass => classes.has(name)

/** Returns the value of a `priceDiff` field in an entry; null where there is none. */
export function presentValue(entry: PriceEntry | null, field: string): FieldValue | null {
  if (!entry) return null
  const [part = '', which = '', name = ''] = field.split(':')
  if (part === 'kind') return billingOf(entry)
  if (part === 'schedules') return entry.schedules?.length ? entry.schedules : null
  if (part === 'tier') return isClass(name) ? tierPrice(entry, Number(which), name) : null
  if (part !== 'mode') return isClass(part) ? effectivePrice(entry, part) : null
  const mode = entry.modes?.find((one) => one.name === which)
  if (!mode || name === '') return mode ?? null
  if (name === 'factor') return mode.factor ?? 1
  return isClass(name) ? (mode.prices?.[name] ?? effectivePrice(entry, name)) : null
}
