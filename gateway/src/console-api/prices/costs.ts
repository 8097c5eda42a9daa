import { pageOf, type priceRoutes, type RouteInput } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { storedPrices, type PriceWrite } from '../../billing/pricing/price-store'
import type { Context } from '../../context'
import type { SiteChange } from '../../http/handler'
import { writePrices } from './write-prices'

export async function listCosts(query: RouteInput<typeof priceRoutes.listCosts>['query'], ctx: Context) {
  const { page, size, offset } = pageOf(query)
  const { channels } = ctx.catalog.current
  const rows = (await storedPrices(ctx.database.query, 'cost')).filter(
    ({ channelId, model }) =>
      (query.channel_id === undefined || channelId === query.channel_id) &&
      (query.model === undefined || model === query.model),
  )
  const items = rows.slice(offset, offset + size).map((row): priceRoutes.CostRow => ({
    channel_id: row.channelId,
    channel_name: channels.get(row.channelId)?.name ?? '',
    model: row.model,
    entry: row.entry,
    factor: row.factor,
    source: row.source,
    updated_at: row.updatedAt,
    updated_by: row.updatedBy,
  }))
  return { items, page, page_size: size, total: rows.length }
}

type PutCosts = RouteInput<typeof priceRoutes.putCosts>['body']
type CostItem = PutCosts['items'][number]

/** Resolves with how many costs were set. @throws AppError `channel.none`. */
export async function putCosts({ items, remove = [] }: PutCosts, call: SiteChange): Promise<number> {
  requireChannels(items, call)
  const writes = new Map(items.map((item) => [keyOf(item), writeOf(item)]))
  const removals = remove.filter((key) => !writes.has(keyOf(key))).map(rowKeyOf)
  note([...items, ...remove], call, { items, ...(remove.length > 0 && { remove }) })
  await writePrices({ writes: [...writes.values()], removals }, call)
  return writes.size
}

interface CostKey {
  readonly channel_id: number
  readonly model: string
}

const keyOf = ({ channel_id: id, model }: CostKey): string => `${id}\n${model}`
const rowKeyOf = ({ channel_id: channelId, model }: CostKey) => ({ channelId, model })

const writeOf = (item: CostItem): PriceWrite =>
  'factor' in item
    ? { channelId: item.channel_id, model: '', entry: { factor: item.factor } }
    : { channelId: item.channel_id, model: item.model, entry: item.entry }

export function deleteCosts(items: readonly CostKey[], call: SiteChange): Promise<number> {
  note(items, call, { items })
  return writePrices({ writes: [], removals: items.map(rowKeyOf) }, call)
}

/** @throws AppError `channel.none`. */
function requireChannels(items: readonly { channel_id: number }[], { ctx }: Pick<SiteChange, 'ctx'>): void {
  const { channels } = ctx.catalog.current
  if (items.some(({ channel_id }) => !channels.has(channel_id))) throw new AppError('channel.none')
}

function note(keys: readonly CostKey[], { audit, ctx }: SiteChange, changed: object) {
  const ids = new Set(keys.map(({ channel_id }) => channel_id))
  const [only] = ids.size === 1 ? ids : []
  audit.target('channel', [...ids].slice(0, 20).join(','), ctx.catalog.current.channels.get(only ?? 0)?.name ?? '')
  audit.recordChange({}, changed)
}
