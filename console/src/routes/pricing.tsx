import { createFileRoute } from '@tanstack/react-router'

import { PricingPage } from '../features/catalogue/pricing/pricing-page'
import { PricingSearch } from '../features/catalogue/pricing/pricing-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/pricing')({
  validateSearch: PricingSearch,
  loader: () => loadAreas('pricing', 'price-entry'),
  component: PricingPage,
})
