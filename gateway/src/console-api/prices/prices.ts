import { pageOf, priceRoutes } from '@tollgate/contract'

import { makerNames } from '../../channels/catalog/maker-names'
import { handler, type Handler } from '../../http/handler'
import { deleteCosts, listCosts, putCosts } from './costs'
import { exportPricesCsv, exportPricesJson } from './export-prices'
import { importPrices } from './import-prices'
import { costsOf, priceRow, readPriceView, rowOf, selectPrices, sortPrices } from './find-prices'
import { bulkPrices, deletePrices, putPrices } from './write-prices'

export const priceHandlers: readonly Handler[] = [
  handler(priceRoutes.listPrices, async ({ query }, { ctx, language }) => {
    const view = await readPriceView(ctx.catalog.current, ctx.database.query, { now: ctx.clock.now() })
    const { found, counts, vendors } = selectPrices(view, query)
    const { page, size, offset } = pageOf(query)
    const items = sortPrices(view, found, query.sort, query.order)
      .slice(offset, offset + size)
      .map((row) => priceRow(view, row))
    return {
      data: { items, page, page_size: size, total: found.length },
      envelopeFields: { counts, vendors: makerNames(vendors, language) },
    }
  }),
  handler(priceRoutes.getPrice, async ({ query }, { ctx }) => {
    const now = ctx.clock.now()
    const view = await readPriceView(ctx.catalog.current, ctx.database.query, { now, models: [query.model] })
    return { ...rowOf(view, query.model), costs: costsOf(view, query.model) }
  }),
  handler(priceRoutes.putPrices, ({ body }, call) => putPrices(body, call)),
  handler(priceRoutes.deletePrices, ({ body }, call) => deletePrices(body.models, call)),
  handler(priceRoutes.bulkPrices, ({ body }, call) => bulkPrices(body, call)),
  handler(priceRoutes.exportPricesCsv, ({ query }, call) => exportPricesCsv(query, call)),
  handler(priceRoutes.exportPricesJson, ({ query }, call) => exportPricesJson(query, call)),
  handler(priceRoutes.importPrices, ({ body }, call) => importPrices(body, call)),
  handler(priceRoutes.listCosts, ({ query }, { ctx }) => listCosts(query, ctx)),
  handler(priceRoutes.putCosts, ({ body }, call) => putCosts(body, call)),
  handler(priceRoutes.deleteCosts, ({ body }, call) => deleteCosts(body.items, call)),
]
