import { paymentRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { ErrorState } from '../../components/error-state'
import { useTranslation } from '../../lib/i18n'
import { useRead } from '../../lib/query'
import { OwnOrders, type OwnOrdersProps } from './own-orders'
import { WalletCard } from './wallet-card'

const pageSize = 10

/** The reader's top-ups, once there is one. */
export function OwnOrdersCard({ onAgain }: Pick<OwnOrdersProps, 'onAgain'>) {
  const { t } = useTranslation('wallet')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useRead(paymentRoutes.listOwnOrders, { query: { p: page, page_size: pageSize } })
  if (!error && (!data || data.total === 0)) return null
  return (
    <WalletCard title={t('orders.title')}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
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
