import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod'

import { LoginPage } from '../features/account/login/login-page'

const Search = z.object({
  /** The session ended while the page was open. */
  expired: z.boolean().optional().catch(undefined),
  /** Where to go after signing in. */
  returnTo: z.string().optional().catch(undefined),
})
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/login')({
  validateSearch: Search,
  loader: () => loadAreas('login', 'external-sign-in'),
  component: LoginPage,
})
