import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod'

import { NewPasswordPage } from '../features/account/reset/new-password-page'
import { loadAreas } from '../lib/text/i18n'
import { exactText } from '../lib/url/page-search'

/** The format of mailed links. */
const Search = z.object({ email: exactText, token: exactText })

export const Route = createFileRoute('/user/reset')({
  validateSearch: Search,
  loader: () => loadAreas('reset'),
  component: NewPasswordPage,
})
