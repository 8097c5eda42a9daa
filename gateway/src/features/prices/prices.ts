import { pageOf, priceRoutes } from '@tollgate/contract'

import { handler, type Handler } from '../../http/handler'
import { deleteCosts, listCosts, putCosts } from './costs'
import { costsOf, priceRow, readPriceView, rowOf, selectPrices, sortPrices } from './find-prices'
import { bulkPrices, deletePrices, putPrices } from './write-prices'

export const priceHandlers: readonly Handler[] = [
  handler(priceRoutes.listPrices, async ({ query }, { ctx }) => {
    const view = await readPriceView(ctx.catalog.current, ctx.database.query)
    const { found, counts } = selectPrices(view, query)
    const { page, size, offset } = pageOf(query)
    const items = sortPrices(view, found, query.sort, query.order)
      .slice(offset, offset + size)
      .map((row) => priceRow(view, row))
    return { data: { items, page, page_size: size, total: found.length }, beside: { counts } }
  }),
  handler(priceRoutes.getPrice, async ({ query }, { ctx }) => {
    const view = await readPriceView(ctx.catalog.current, ctx.database.query)
    return { ...rowOf(view, query.model), costs: costsOf(view, query.model) }
  }),
  handler(priceRoutes.putPrices, ({ body }, call) => putPrices(body, call)),
  handler(priceRoutes.deletePrices, ({ body }, call) => deletePrices(body.models, call)),
  handler(priceRoutes.bulkPrices, ({ body }, call) => bulkPrices(body, call)),
  handler(priceRoutes.listCosts, ({ query }, { ctx }) => listCosts(query, ctx)),
  handler(priceRoutes.putCosts, ({ body }, call) => putCosts(body.items, call)),
  handler(priceRoutes.deleteCosts, ({ body }, call) => deleteCosts(body.items, call)),
]
