import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { TokenSearch } from '../features/tokens/token-search'
import { TokensPage } from '../features/tokens/tokens-page'

export const Route = createFileRoute('/app/tokens')({
  validateSearch: TokenSearch,
  beforeLoad: requireLogin,
  component: TokensPage,
})
