import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, redirect } from '@tanstack/react-router'

import { Shell } from '../app/shell/shell'
import { StatusError } from '../app/shell/status-error'
import { rememberStatus, SiteProvider, statusQuery } from '../lib/api/status'

export const Route = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const status = await queryClient.ensureQueryData(statusQuery)
    rememberStatus(status)
    if (!status.setup && location.pathname !== '/setup') throw redirect({ to: '/setup' })
  },
  component: () => (
    <SiteProvider>
      <Shell />
    </SiteProvider>
  ),
  errorComponent: StatusError,
})
