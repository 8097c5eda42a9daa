import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, redirect } from '@tanstack/react-router'

import { Shell } from '../app/shell/shell'
import { PageError } from '../components/page-error'
import { rememberStatus, statusQuery } from '../lib/status'

export const Route = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const status = await queryClient.ensureQueryData(statusQuery)
    rememberStatus(status)
    if (!status.setup && location.pathname !== '/setup') throw redirect({ to: '/setup' })
  },
  component: Shell,
  errorComponent: PageError,
})
