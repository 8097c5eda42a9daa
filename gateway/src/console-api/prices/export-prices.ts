import { byteOrderMark, type priceRoutes, type RouteInput } from '@tollgate/contract'

import { storedPrices } from '../../billing/pricing/price-store'
import type { FileResult } from '../../http/response/file-response'
import type { Call } from '../../http/handler'
import { textStream } from '../../http/response/text-stream'
import { readPriceView, selectPrices } from './find-prices'
import { priceCsvHead, priceCsvLines } from './price-csv'

type Query = RouteInput<typeof priceRoutes.exportPricesCsv>['query']

/** Returns the own entries of what the selection finds, a line for each part of them. */
export async function exportPricesCsv(query: Query, call: Call<'user'>): Promise<FileResult> {
  const entries = await selectedEntries(query, call)
  return file('csv', call, [
    byteOrderMark + priceCsvHead,
    ...entries.map(({ model, entry }) => priceCsvLines(model, entry)),
  ])
}

/** Returns the entries verbatim, and the costs of channels where they are requested. */
export async function exportPricesJson(query: Query, call: Call<'user'>): Promise<FileResult> {
  const prices = await selectedEntries(query, call)
  const costs = query.costs ? await storedPrices(call.ctx.database.query, 'cost') : []
  const document = {
    prices,
    costs: costs.flatMap(({ channelId, model, entry, factor }) => {
      const costFields = entry ? { entry } : factor === null ? null : { factor }
      return costFields ? [{ channel_id: channelId, model, ...costFields }] : []
    }),
  }
  return file('json', call, [`${JSON.stringify(document, null, 2)}\n`])
}

async function selectedEntries(query: Query, { ctx }: Call<'user'>) {
  const { catalog, clock, database } = ctx
  const view = await readPriceView(catalog.current, database.query, { now: clock.now() })
  return selectPrices(view, query).found.flatMap(({ model }) => {
    const entry = catalog.current.prices.book.own(model)
    return entry ? [{ model, entry }] : []
  })
}

const file = (kind: 'csv' | 'json', { ctx, requestId }: Call<'user'>, texts: readonly string[]): FileResult => ({
  name: `prices-${new Date(ctx.clock.now()).toISOString().slice(0, 10)}.${kind}`,
  body: textStream(streamTexts(texts), (error) => ctx.log.error({ error, requestId }, 'a file of prices broke off')),
})

async function* streamTexts(texts: readonly string[]) {
  await Promise.resolve()
  yield* texts
}
