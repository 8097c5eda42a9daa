import { siteTextRoutes } from '@tollgate/contract'

import { handler, type Handler } from '../../http/handler'

/** Texts of the operator that are public. */
export const siteTextHandlers: readonly Handler[] = [
  handler(siteTextRoutes.homePageContent, (_input, { ctx }) =>
    Promise.resolve(ctx.catalog.current.options.HomePageContent),
  ),
  handler(siteTextRoutes.about, (_input, { ctx }) => Promise.resolve(ctx.catalog.current.options.About)),
  handler(siteTextRoutes.notice, (_input, { ctx }) => Promise.resolve(ctx.catalog.current.options.Notice)),
]
