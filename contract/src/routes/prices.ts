import * as z from 'zod'

import { listOf, PageQuery } from '../http/paging'
import { priceClasses } from '../pricing/price-classes'
import { ChannelFactor, ClassPrices, NewPriceEntry, PriceEntry } from '../pricing/price-entry'
import { fileRoute, route } from '../http/route'
import { flagText, nameText, plainText, wholeNumberText } from '../pricing/units'

/** How a model is billed: by tokens, a call, an image, a second, a character, or not at all as no price is known. */
export const billingKinds = ['tokens', 'call', 'image', 'second', 'character', 'unpriced'] as const
export type BillingKind = (typeof billingKinds)[number]

/** Who wrote an entry: an operator, or the job that follows public lists. */
export const priceSources = ['own', 'sync'] as const
export type PriceSource = (typeof priceSources)[number]

export const priceFilters = ['all', 'own', 'default', 'unpriced', 'differs'] as const

/** The most entries that one call changes. */
export const maxPrices = 5000

/** The name of a model that has a price. */
const model = plainText(255).trim().min(1)
/** The name of a model that gets one. */
export const PricedModel = nameText(255).min(1)
const whole = z.number().int()

/** Where the cost of a model at a channel comes from: the operator's entry, the list times the channel's factor, or the list. */
export const costKinds = ['own', 'factor', 'list'] as const

/** What a model costs at one channel. */
export const ChannelCost = z.object({
  channel_id: whole,
  channel_name: z.string(),
  kind: z.enum(costKinds),
  /** US dollars of the typical mix (see `PriceRow.mix`), including the channel's factor. */
  mix: z.number(),
})
export type ChannelCost = z.output<typeof ChannelCost>

/** A vendor's price in one region, which a list price is made of. */
export const ListSource = z.object({
  /** The vendor's name in each language. */
  vendor: z.object({ en: z.string(), zh: z.string() }),
  region: z.enum(['cn', 'intl']),
  /** What the vendor publishes: list prices in yuan are converted at `yuan_rate`. */
  currency: z.enum(['USD', 'CNY']),
  yuan_rate: z.number(),
  /** The day of the rate, as `2026-11-28`. */
  yuan_rate_date: z.string(),
  /** The date of the source, as `2026-08-21`. */
  date: z.string(),
  source: z.string(),
})
export type ListSource = z.output<typeof ListSource>

/** An entry as it is stored. */
export const StoredEntry = z.object({
  entry: PriceEntry,
  source: z.enum(priceSources),
  updated_at: whole,
  /** The user name of its author; empty for the job. */
  updated_by: z.string(),
})
export type StoredEntry = z.output<typeof StoredEntry>

export const PriceRow = z.object({
  /** Without a channel's prefix: the name that entries are stored under. */
  model: z.string(),
  /** Its maker, as in `PricingRow`; empty where the name does not reveal it. */
  owned_by: z.string(),
  /** Its price on the shipped lists; null where they do not know it. */
  list: PriceEntry.nullable(),
  /** The vendor's price that `list` is made of; null: that of the public lists. */
  list_source: ListSource.nullable(),
  /** The operator's own entry, which lies over the list's, class by class; null where there is none. */
  own: StoredEntry.nullable(),
  /** What calls are charged by, before any group's ratio; null: unpriced. Its ratios are relative to its own `prices.input`. */
  sale: PriceEntry.nullable(),
  kind: z.enum(billingKinds),
  /**
   * What `sale` charges for the typical mix, in US dollars, to compare and sort by: 750,000 tokens of input and 250,000 of output; one
   * call, image, second, or a million characters where it is sold by those. Null: unpriced.
   */
  mix: z.number().nullable(),
  /** The same for `list`. */
  list_mix: z.number().nullable(),
  /** How many channels serve it, disabled ones included. */
  channels: whole,
  /** The cheapest and the most expensive of them; null where no cost is known. */
  cheapest: ChannelCost.nullable(),
  dearest: ChannelCost.nullable(),
  /**
   * The part of the sale price that is left at the most expensive channel: 0.2 is 20 %. Null where either is unknown or nothing is
   * charged.
   */
  margin: z.number().nullable(),
  /** Quota charged for its calls in the last 30 days, under this name. */
  spend: z.number(),
  /** Why the lists have no price for a name that a channel form suggests; null where there is no such reason. */
  reason: z.string().nullable(),
})
export type PriceRow = z.output<typeof PriceRow>

/** Selects rows. */
export const PriceSelection = z.object({
  /** Part of the model's name or of its maker's. */
  keyword: plainText(255).trim().optional(),
  /**
   * `own`: with an own entry. `default`: priced by the list alone. `unpriced`: without any price. `differs`: with an own entry that
   * charges something other than the list.
   */
  filter: z.enum(priceFilters).optional(),
  /** `served`: models that channels list or that have an own entry. `all`: everything on the lists too. Default `served`. */
  scope: z.enum(['served', 'all']).optional(),
  /** A key of `vendors`. */
  vendor: plainText(255).trim().optional(),
  kind: z.enum(billingKinds).optional(),
})
export type PriceSelection = z.output<typeof PriceSelection>

export const priceSorts = ['model', 'mix', 'list_mix', 'margin', 'spend', 'channels', 'updated_at'] as const
export type PriceSort = (typeof priceSorts)[number]

export const listPrices = route({
  method: 'GET',
  path: '/api/prices',
  access: 'prices.read',
  summary: 'Sale prices of models, with the list price and the costs at channels, by name',
  query: PageQuery.extend(PriceSelection.shape).extend({
    sort: z.enum(priceSorts).optional(),
    order: z.enum(['asc', 'desc']).optional(),
  }),
  data: listOf(PriceRow),
  envelopeFields: z.object({
    /** How many rows each filter finds, within the rest of the selection. */
    counts: z.record(z.enum(priceFilters), whole),
    /** Maker of models -> name, in the caller's language: those within the scope. */
    vendors: z.record(z.string(), z.string()),
  }),
})

export const getPrice = route({
  method: 'GET',
  path: '/api/prices/model',
  access: 'prices.read',
  summary: 'The row of one model, with what it costs at each channel that serves it',
  query: z.object({ model }),
  data: PriceRow.extend({ costs: z.array(ChannelCost) }),
})

export const putPrices = route({
  method: 'PUT',
  path: '/api/prices',
  audit: 'price.update',
  access: 'prices.write',
  summary: 'Set own entries, all or none; each replaces what was there. Returns the new rows of up to 100 models',
  body: z.object({
    items: z
      .array(z.object({ model: PricedModel, entry: NewPriceEntry }))
      .min(1)
      .max(maxPrices),
  }),
  data: z.array(PriceRow),
})

export const deletePrices = route({
  method: 'DELETE',
  path: '/api/prices',
  audit: 'price.delete',
  access: 'prices.write',
  summary: 'Remove own entries, so that the list price applies again. Returns how many there were',
  body: z.object({ models: z.array(model).min(1).max(maxPrices) }),
  data: whole,
})

/** One entry before and after. */
export const PriceChange = z.object({
  model: z.string(),
  /** What calls are charged by before and after; null: unpriced. */
  before: PriceEntry.nullable(),
  after: PriceEntry.nullable(),
  /** The own entry that is stored afterwards; null: none. */
  own: PriceEntry.nullable(),
  before_mix: z.number().nullable(),
  after_mix: z.number().nullable(),
})
export type PriceChange = z.output<typeof PriceChange>

export const bulkPrices = route({
  method: 'POST',
  path: '/api/prices/bulk',
  audit: 'price.bulk',
  access: 'prices.write',
  summary: 'Set prices of a selection, outright or by a factor on another price; or preview the changes',
  body: z
    .object({
      /** These models, or all that the selection finds. */
      models: z.array(model).max(maxPrices).optional(),
      select: PriceSelection.optional(),
      /** What `factor` multiplies: the list price, the cost at the most expensive channel, or the current price. */
      base: z.enum(['list', 'cost', 'current']).optional(),
      factor: z.number().min(0).max(1000).optional(),
      /** Only these classes; the others stay. Default: all. */
      classes: z.array(z.enum(priceClasses)).min(1).optional(),
      /** Instead of a factor: prices that each model gets. */
      set: ClassPrices.optional(),
      /** Nothing is stored. */
      preview: z.boolean(),
    })
    .refine(({ base, factor, set }) => (set === undefined) === (base !== undefined && factor !== undefined)),
  data: z.object({
    /** How many entries change. */
    total: whole,
    /** The first 200 of them, by name. */
    changes: z.array(PriceChange),
    /** Models without a price to multiply. */
    skipped: z.array(z.string()),
  }),
})

/** A cost as it is stored: an entry for a model, or the factor of a channel. */
export const CostRow = z.object({
  channel_id: whole,
  channel_name: z.string(),
  /** Empty: the factor of the whole channel. */
  model: z.string(),
  /** Null for the factor. */
  entry: PriceEntry.nullable(),
  /** On the list price of everything that has no entry here. Null for a model. */
  factor: z.number().nullable(),
  source: z.enum(priceSources),
  updated_at: whole,
  updated_by: z.string(),
})
export type CostRow = z.output<typeof CostRow>

const CostKey = z.object({ channel_id: z.int().positive(), model: plainText(255).trim() })

export const listCosts = route({
  method: 'GET',
  path: '/api/prices/cost',
  access: 'prices.read',
  summary: 'The operator’s costs at channels: factors and entries',
  query: PageQuery.extend({ channel_id: wholeNumberText.optional(), model: plainText(255).trim().optional() }),
  data: listOf(CostRow),
})

export const putCosts = route({
  method: 'PUT',
  path: '/api/prices/cost',
  audit: 'price.update_cost',
  access: 'prices.write',
  summary: 'Set the costs of models at channels, or the factor of a channel, and remove others, all or none',
  body: z
    .object({
      items: z
        .array(
          z.union([
            CostKey.extend({ model: PricedModel, entry: NewPriceEntry }),
            CostKey.extend({ model: z.literal(''), factor: ChannelFactor.shape.factor }),
          ]),
        )
        .max(maxPrices),
      /** What is removed in the same call. */
      remove: z.array(CostKey).max(maxPrices).optional(),
    })
    .refine(({ items, remove = [] }) => items.length + remove.length > 0),
  data: whole,
})

export const deleteCosts = route({
  method: 'DELETE',
  path: '/api/prices/cost',
  audit: 'price.delete_cost',
  access: 'prices.write',
  summary: 'Remove costs, so that the list price counts as cost again. Returns how many there were',
  body: z.object({ items: z.array(CostKey).min(1).max(maxPrices) }),
  data: whole,
})

const ExportQuery = PriceSelection.extend({
  /** Include the costs at channels; only in JSON. */
  costs: flagText.optional(),
})

export const exportPricesCsv = fileRoute({
  method: 'GET',
  path: '/api/prices/export/csv',
  audit: 'price.export',
  access: 'prices.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'Own entries of what the selection finds, as a table: a line for the prices, each tier, mode and schedule',
  query: ExportQuery,
})

export const exportPricesJson = fileRoute({
  method: 'GET',
  path: '/api/prices/export/json',
  audit: 'price.export',
  access: 'prices.read',
  media: 'application/json',
  limit: 'export',
  summary: 'Own entries of what the selection finds, as JSON, as the import takes them',
  query: ExportQuery,
})

export const importPrices = route({
  method: 'POST',
  path: '/api/prices/import',
  audit: 'price.import',
  access: 'prices.write',
  summary: 'Store entries of a file, all or none; or preview the changes and the lines that cannot be read',
  // JSON escapes quotes and ends of lines.
  maxBodyBytes: 10_000_000,
  body: z.object({
    format: z.enum(['json', 'csv']),
    text: z.string().max(5_000_000),
    /** Nothing is stored. A file with errors is never stored. */
    preview: z.boolean(),
  }),
  data: z.object({
    /** How many entries change, costs included. */
    total: whole,
    /** The first 200 of the sale entries that change, by name. */
    changes: z.array(PriceChange),
    /** The first 200 faults. Lines count from 1; of JSON, members of a list. */
    errors: z.array(z.object({ line: whole, model: z.string(), reason: z.string() })),
  }),
})
