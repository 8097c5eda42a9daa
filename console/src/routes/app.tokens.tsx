import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { TokenSearch } from '../features/tokens/token-search'
import { TokensPage } from '../features/tokens/tokens-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/tokens')({
  validateSearch: TokenSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('tokens'),
  component: TokensPage,
})
