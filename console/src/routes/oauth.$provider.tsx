import { createFileRoute, notFound } from '@tanstack/react-router'
import { redirectProviders } from '@tollgate/contract'
import * as z from 'zod'

import { CallbackPage } from '../features/account/oauth/callback-page'
import { loadAreas } from '../lib/text/i18n'
import { exactText } from '../lib/url/page-search'

const Params = z.object({ provider: z.enum(redirectProviders) })
const Search = z.object({
  code: exactText,
  state: exactText,
  error: exactText,
  error_description: exactText,
  iss: exactText,
})

export const Route = createFileRoute('/oauth/$provider')({
  params: {
    parse: (params) => {
      const { success, data } = Params.safeParse(params)
      if (!success) throw notFound()
      return data
    },
  },
  validateSearch: Search,
  loader: () => loadAreas('external-sign-in'),
  component: CallbackPage,
})
