import { createFileRoute } from '@tanstack/react-router'

import { ModelsPage } from '../features/catalogue/models/models-page'
import { ModelSearch } from '../features/catalogue/models/model-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/pricing')({
  validateSearch: ModelSearch,
  loader: () => loadAreas('pricing', 'price-entry'),
  component: ModelsPage,
})
