import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'

import { PageHeader } from '../../../components/page/page-header'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import { useFormat } from '../../../lib/text/use-format'
import { Facets } from './facets'
import { PriceList } from './price-list'
import type { PricingSearch } from './pricing-search'
import { useOffers } from './use-offers'
import { WaitingPrices } from './waiting-prices'

const route = getRouteApi('/pricing')

/** Prices of models, for guests and users. */
export function PricingPage() {
  const { t } = useTranslation('pricing')
  const { number } = useFormat()
  const { user } = useViewer()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = useCallback(
    (change: Partial<PricingSearch>) =>
      void navigate({
        search: (current) => ({ ...current, ...change }),
        resetScroll: false,
        // Typing must not add history entries.
        replace: 'in' in change || 'out' in change || 'cached' in change,
      }),
    [navigate],
  )
  const offers = useOffers(search)
  return (
    <>
      <PageHeader
        title={t('title')}
        count={offers.answer.data && number(offers.all.length)}
        description={t(user ? 'forUser' : 'forGuest')}
      />
      {offers.answer.isPending ? (
        <WaitingPrices />
      ) : (
        <>
          {offers.answer.data && <Facets offers={offers} search={search} setSearch={setSearch} />}
          <PriceList offers={offers} search={search} setSearch={setSearch} canTry={user !== null} />
        </>
      )}
    </>
  )
}
