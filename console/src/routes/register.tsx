import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod'

import { RegisterPage } from '../features/account/register/register-page'
import { loadAreas } from '../lib/text/i18n'
import { rememberInvitation } from '../lib/url/invitation'
import { exactText } from '../lib/url/page-search'

const Search = z.object({
  /** The invitation code. */
  aff: exactText,
  /** Where to go after signing in. */
  returnTo: z.string().optional().catch(undefined),
})

export const Route = createFileRoute('/register')({
  validateSearch: Search,
  beforeLoad: ({ search, preload }) => {
    if (!preload) rememberInvitation(search.aff)
  },
  loader: () => loadAreas('register', 'external-sign-in'),
  component: RegisterPage,
})
