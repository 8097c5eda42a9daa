import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback } from 'react'
import { Skeleton } from '@mantine/core'

import classes from './models.module.css'
import { PageHeader } from '../../../components/page/page-header'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import { useFormat } from '../../../lib/text/use-format'
import { ModelFilters } from './model-filters'
import { ModelsTable } from './models-table'
import type { ModelSearch } from './model-search'
import { useOffers } from './model-data'
import { SkeletonRows } from '../../../components/data-table/table-state'

/** Few sites have some. */
const AliasList = lazy(async () => ({ default: (await import('./alias-list')).AliasList }))

const route = getRouteApi('/pricing')

/** Prices of models, for guests and users. */
export function ModelsPage() {
  const { t } = useTranslation('pricing')
  const { number } = useFormat()
  const { user } = useViewer()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = useCallback(
    (change: Partial<ModelSearch>) =>
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
          {offers.answer.data && <ModelFilters offers={offers} search={search} setSearch={setSearch} />}
          <ModelsTable offers={offers} search={search} setSearch={setSearch} canTry={user !== null} />
          {offers.aliases.length > 0 && (
            <Suspense>
              <AliasList aliases={offers.aliases} />
            </Suspense>
          )}
        </>
      )}
    </>
  )
}

/** Vendor, billing and ability: those that nearly every site has. */
const lines = [7, 3, 5] as const
const rows = 15

/** The page while the prices load. The list is not drawn before: it would move by the facets that these prices have. */
const WaitingPrices = () => (
  <div aria-busy="true">
    <div className={classes.facets} aria-hidden>
      {lines.map((choices, line) => (
        <div key={line} className={classes.facet}>
          <span className={classes.facetName}>
            <Skeleton h={12} w={48} display="inline-block" />
          </span>
          <div className={classes.choices}>
            {Array.from({ length: choices }, (_, choice) => (
              <Skeleton key={choice} h={26} w={86} />
            ))}
          </div>
        </div>
      ))}
    </div>
    <div className={classes.frame}>
      <SkeletonRows count={rows} density="normal" />
    </div>
  </div>
)
