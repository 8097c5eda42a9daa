import { createFileRoute } from '@tanstack/react-router'

import { PricingPage } from '../features/pricing/pricing-page'
import { PricingSearch } from '../features/pricing/pricing-search'

export const Route = createFileRoute('/pricing')({ validateSearch: PricingSearch, component: PricingPage })
