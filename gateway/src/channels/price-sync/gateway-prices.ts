import type { PriceEntry } from '@tollgate/models'
import * as z from 'zod'

/** A gateway's price for a model, or why it cannot be used. */
export type GatewayPrice =
  | { readonly model: string; readonly entry: PriceEntry; readonly refusal: null }
  | { readonly model: string; readonly entry: null; readonly refusal: 'filler' | 'expression' }

const Ratio = z.number().min(0).max(1e9)
const byCall = 1

/** A row of `GET /api/pricing`, as new-api and its predecessors return it. Newer ones add fields. */
const PricingRow = z.object({
  model_name: z.string().min(1).max(255),
  quota_type: z.number(),
  model_ratio: Ratio.default(0),
  model_price: z.number().max(1e9).default(0),
  completion_ratio: Ratio.default(1),
  cache_ratio: Ratio.nullish(),
  create_cache_ratio: Ratio.nullish(),
  billing_mode: z.string().nullish(),
  billing_expr: z.string().nullish(),
})

/** Far more models than a gateway sells; each row is parsed by a schema of its own. */
const maxRows = 20_000

const Pricing = z.object({
  data: z.array(z.unknown()).max(maxRows),
  group_ratio: z.record(z.string(), Ratio).default({}),
})

const Table = z.record(z.string(), Ratio).default({})
/** `GET /api/ratio_config`, where a gateway publishes it. */
const RatioConfig = z.object({
  data: z.object({
    model_ratio: z.record(z.string(), Ratio),
    completion_ratio: Table,
    cache_ratio: Table,
    create_cache_ratio: Table,
    model_price: Table,
  }),
})

/** Ratio 1 is 2 US dollars for a million tokens. */
const dollarsOfRatio = 2
/** What gateways return for models without a price. */
const filler = 37.5

/**
 * Parses a gateway's prices in either format; null when it is neither. Prices are those of the group that the gateway assigned to us; a
 * group that it does not name has a factor of 1.
 */
export function gatewayPrices(response: unknown, group: string): GatewayPrice[] | null {
  const pricing = Pricing.safeParse(response)
  if (pricing.success) {
    const factor = own(pricing.data.group_ratio, group) ?? 1
    return pricing.data.data
      .flatMap((row) => PricingRow.safeParse(row).data ?? [])
      .map((row) => priceOfRow(row, factor))
  }
  const config = RatioConfig.safeParse(response)
  return config.success ? configPrices(config.data.data) : null
}

/** Names are whatever a gateway writes, including property names of every object. */
const own = (table: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

function priceOfRow(row: z.output<typeof PricingRow>, factor: number): GatewayPrice {
  const model = row.model_name
  if (row.billing_expr || (row.billing_mode && !/^(?:ratio|price|per_request|per_token)$/.test(row.billing_mode)))
    return { model, entry: null, refusal: 'expression' }
  if (row.quota_type === byCall)
    return { model, entry: { prices: { per_call: exact(Math.max(row.model_price, 0) * factor) } }, refusal: null }
  if (row.model_ratio === filler && row.completion_ratio === 1) return { model, entry: null, refusal: 'filler' }
  return { model, entry: entryOfRatios(row, factor), refusal: null }
}

function configPrices(config: z.output<typeof RatioConfig>['data']): GatewayPrice[] {
  const names = new Set([...Object.keys(config.model_price), ...Object.keys(config.model_ratio)])
  return [...names].map((model) => {
    const perCall = own(config.model_price, model)
    if (perCall !== undefined) return { model, entry: { prices: { per_call: perCall } }, refusal: null }
    const ratios = {
      model_ratio: own(config.model_ratio, model) ?? 0,
      completion_ratio: own(config.completion_ratio, model) ?? 1,
      cache_ratio: own(config.cache_ratio, model),
      create_cache_ratio: own(config.create_cache_ratio, model),
    }
    return { model, entry: entryOfRatios(ratios, 1), refusal: null }
  })
}

type Ratios = Pick<
  z.output<typeof PricingRow>,
  'model_ratio' | 'completion_ratio' | 'cache_ratio' | 'create_cache_ratio'
>

function entryOfRatios(
  { model_ratio, completion_ratio, cache_ratio, create_cache_ratio }: Ratios,
  factor: number,
): PriceEntry {
  const input = model_ratio * dollarsOfRatio * factor
  return {
    prices: {
      input: exact(input),
      output: exact(input * completion_ratio),
      ...(typeof cache_ratio === 'number' && { cache_read: exact(input * cache_ratio) }),
      ...(typeof create_cache_ratio === 'number' && { cache_write_5m: exact(input * create_cache_ratio) }),
    },
  }
}

/** Without the noise of binary fractions. */
const exact = (value: number): number => Number(value.toPrecision(12))
