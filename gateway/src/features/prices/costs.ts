import { pageOf, type priceRoutes, type RouteInput } from '@tollgate/contract'

import { AppError } from '../../app-error'
import { storedPrices, type PriceWrite } from '../../catalog/price-store'
import type { Context } from '../../context'
import type { Call } from '../../http/handler'
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

type CostItem = RouteInput<typeof priceRoutes.putCosts>['body']['items'][number]

/** @throws AppError `channel.none`. */
export async function putCosts(items: readonly CostItem[], call: Call<'user'>): Promise<number> {
  requireChannels(items, call)
  const writes = new Map(items.map((item) => [`${item.channel_id}\n${item.model}`, writeOf(item)]))
  note(items, call)
  await writePrices({ writes: [...writes.values()] }, call)
  return writes.size
}

const writeOf = (item: CostItem): PriceWrite =>
  'factor' in item
    ? { channelId: item.channel_id, model: '', entry: { factor: item.factor } }
    : { channelId: item.channel_id, model: item.model, entry: item.entry }

export function deleteCosts(
  items: readonly { channel_id: number; model: string }[],
  call: Call<'user'>,
): Promise<number> {
  note(items, call)
  const removals = items.map(({ channel_id, model }) => ({ channelId: channel_id, model }))
  return writePrices({ writes: [], removals }, call)
}

/** @throws AppError `channel.none`. */
function requireChannels(items: readonly { channel_id: number }[], { ctx }: Pick<Call<'user'>, 'ctx'>): void {
  const { channels } = ctx.catalog.current
  if (items.some(({ channel_id }) => !channels.has(channel_id))) throw new AppError('channel.none')
}

function note(items: readonly { channel_id: number; model: string }[], { audit, ctx }: Call<'user'>) {
  const ids = new Set(items.map(({ channel_id }) => channel_id))
  const [only] = ids.size === 1 ? ids : []
  audit.on('channel', [...ids].slice(0, 20).join(','), ctx.catalog.current.channels.get(only ?? 0)?.name ?? '')
  audit.changed({}, { items })
}
