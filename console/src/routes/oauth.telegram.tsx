import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod'

import { TelegramPage } from '../features/account/oauth/telegram-page'
import { loadAreas } from '../lib/text/i18n'
import { exactText } from '../lib/url/page-search'

const Search = z.object({
  /** Proves that this tab started the sign-in. */
  flow: exactText,
  id: exactText,
  first_name: exactText,
  last_name: exactText,
  username: exactText,
  photo_url: exactText,
  auth_date: exactText,
  hash: exactText,
})

export const Route = createFileRoute('/oauth/telegram')({
  validateSearch: Search,
  loader: () => loadAreas('external-sign-in'),
  component: TelegramPage,
})
