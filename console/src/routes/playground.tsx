import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { PlaygroundPage } from '../features/playground/playground-page'
import { PlaygroundSearch } from '../features/playground/playground-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/playground')({
  validateSearch: PlaygroundSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('playground'),
  component: PlaygroundPage,
})
