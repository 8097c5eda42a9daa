import { Text } from '@mantine/core'
import { paymentRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { ErrorState } from '../../../components/page/state-message'
import { ExportButton } from '../../../components/export-button'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { rangeOf } from '../../../lib/text/range-of'
import type { OwnOrderSearch } from './own-order-filters'
import { OwnOrders, type OwnOrdersProps } from './own-orders'
import classes from './wallet.module.css'
import { WalletCard } from './wallet-card'

const OwnOrderFilters = lazy(async () => ({ default: (await import('./own-order-filters')).OwnOrderFilters }))

const pageSize = 10

/** The reader's top-ups, once there are any. Lists longer than a page can be searched. */
export function OwnOrdersCard({ onAgain }: Pick<OwnOrdersProps, 'onAgain'>) {
  const { t } = useTranslation('wallet')
  const [page, setPage] = useState(1)
  const [search, setSearch] = useState<OwnOrderSearch>({})
  const filter = filterOf(search)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const { data, error, refetch } = useRead(paymentRoutes.listOwnOrders, {
    query: { p: page, page_size: pageSize, ...filter },
  })
  const isEmpty = data?.total === 0
  if (!error && !isFiltered && (!data || isEmpty)) return null
  const change = (changed: OwnOrderSearch) => {
    setPage(1)
    setSearch({ ...search, ...changed })
  }
  return (
    <WalletCard
      title={t('orders.title')}
      actions={<ExportButton route={paymentRoutes.exportOwnOrders} sent={{ query: filter }} name="orders.csv" />}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {(isFiltered || (data?.total ?? 0) > pageSize) && (
        <div className={classes.orderFilters}>
          <Suspense>
            <OwnOrderFilters search={search} onChange={change} />
          </Suspense>
        </div>
      )}
      {isFiltered && isEmpty && (
        <Text size="sm" c="dimmed" mt="md">
          {t('orders.none')}
        </Text>
      )}
      {data && (
        <OwnOrders
          orders={data.items}
          page={page}
          last={Math.max(Math.ceil(data.total / pageSize), 1)}
          onPage={setPage}
          onAgain={onAgain}
        />
      )}
    </WalletCard>
  )
}

const filterOf = ({ keyword, status, ...times }: OwnOrderSearch) => ({
  keyword,
  status: paymentRoutes.orderStatuses.find((known) => known === status),
  ...rangeOf(times, Date.now() / 1000),
})
