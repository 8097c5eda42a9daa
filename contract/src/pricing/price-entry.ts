import * as z from 'zod'

import { modeFields, priceClasses, ratioClasses } from './price-classes'
import { isTimeZone } from '../time-units'
import { nameText } from './units'

/** A price in US dollars, or a factor. */
const Amount = z.number().min(0).max(2e9)

/**
 * Token classes are US dollars for a million tokens, `per_character` for a million characters, other units for one, tools for a thousand
 * calls.
 */
export const ClassPrices = z.partialRecord(z.enum(priceClasses), Amount)
export type ClassPrices = z.output<typeof ClassPrices>

export const ClassRatios = z.partialRecord(z.enum(ratioClasses), Amount)
export type ClassRatios = z.output<typeof ClassRatios>

export const PriceTier = z.object({
  /** Input tokens, including cached ones: above this number the whole call has these prices. */
  above: z.int().min(1).max(1e9),
  prices: ClassPrices,
})
export type PriceTier = z.output<typeof PriceTier>

const Tiers = z.array(PriceTier).max(10).readonly()

const maxNameLength = 40
const Name = z.string().trim().min(1).max(maxNameLength)
/** As callers send it. Entries that were stored by older releases may have other names. */
const NewName = nameText(maxNameLength).min(1)

const matchOf = (value: typeof Name) =>
  z.partialRecord(z.enum(modeFields), value).refine((fields) => Object.keys(fields).length > 0)

/** A way of being served that has a price of its own, as reported by the response. */
export const PriceMode = z.object({
  name: Name,
  match: matchOf(Name),
  factor: Amount.optional(),
  prices: ClassPrices.optional(),
  /** Tiers of `prices`, for long inputs. */
  tiers: Tiers.optional(),
})
export type PriceMode = z.output<typeof PriceMode>

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)

/** Hours in which everything costs a multiple, in the local time of a zone. */
export const PriceSchedule = z.object({
  name: Name,
  zone: z.string().max(64).refine(isTimeZone),
  /** 1 is Monday, 7 Sunday. */
  days: z.array(z.int().min(1).max(7)).min(1).max(7).readonly(),
  from: timeOfDay,
  /** When not later than `from`: on the next day. */
  to: timeOfDay,
  factor: Amount,
})
export type PriceSchedule = z.output<typeof PriceSchedule>

const upTo20 = <Item extends z.ZodType>(item: Item) => z.array(item).max(20).readonly().optional()

/** All prices of one model; see `models/src/price-entry.ts` for the meaning of each part. */
export const PriceEntry = z.object({
  prices: ClassPrices,
  /** Ratios of classes that have no price above: a price written as a factor of the entry's own price of `input` or `audio_in`. */
  ratios: ClassRatios.optional(),
  tiers: Tiers.optional(),
  modes: upTo20(PriceMode),
  schedules: upTo20(PriceSchedule),
})
export type PriceEntry = z.output<typeof PriceEntry>

/** The same as callers send it. */
export const NewPriceEntry = PriceEntry.extend({
  modes: upTo20(PriceMode.extend({ name: NewName, match: matchOf(NewName) })),
  schedules: upTo20(PriceSchedule.extend({ name: NewName })),
})

/** The part of the list prices that a channel's vendor charges: 0.8 is 20 % off. */
export const ChannelFactor = z.strictObject({ factor: z.number().min(0).max(1000) })
