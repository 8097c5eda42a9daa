import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'

import { NotFoundPage } from '../components/page/not-found-page'
import { PageError } from '../components/page/page-error'
import { whenFactorNeeded, whenSignedOut } from '../lib/api/api'
import { parseSearch, stringifySearch } from '../lib/url/search-params'
import { routeTree } from '../route-tree.gen'

/** Creates the router; hovering a link preloads its page. */
export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
  })
  whenSignedOut(() => {
    if (router.state.location.pathname === '/login') return
    const returnTo = router.state.location.href
    queryClient.clear()
    void router.navigate({ to: '/login', search: { expired: true, returnTo } })
  })
  // That page explains why and sets one up.
  whenFactorNeeded(() => {
    const { pathname, search } = router.state.location
    const isOpen = pathname === '/app/me' && search.tab === 'security'
    if (!isOpen) void router.navigate({ to: '/app/me', search: { tab: 'security' } })
  })
  return router
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
