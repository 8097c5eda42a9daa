import { Stack, Skeleton, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { paymentRoutes } from '@tollgate/contract'
import { lazy, Suspense, useRef, useState } from 'react'

import classes from './wallet.module.css'
import { PageHeader } from '../../../components/page/page-header'
import { useTranslation } from '../../../lib/text/i18n'
import { useSearchChange } from '../../../lib/url/use-search-change'
import { BalanceCard } from './balance-card'
import { OwnOrdersCard } from './own-orders-card'
import { RedeemCard } from './redeem-card'
import { StatementCard } from './statement-card'
import { SubscriptionsCard } from './subscriptions-card'
import type { WalletSearch } from './wallet-search'
import { ErrorState } from '../../../components/page/state-message'
import { useRead } from '../../../lib/api/query'
import { useOwnStandings } from '../../../domain/limits/standings-data'
import { TopUpForm } from './top-up-form'
import { WalletCard } from './wallet-card'

const OwnLimits = lazy(async () => ({ default: (await import('../../../domain/limits/own-limits')).OwnLimits }))

const route = getRouteApi('/app/wallet')

/** The reader's balance, top-ups and statement. */
export function WalletPage() {
  const { t } = useTranslation('wallet')
  const { code, month } = route.useSearch()
  const setSearch = useSearchChange<WalletSearch>(route.useNavigate())
  const topUp = useRef<HTMLDivElement>(null)
  const [again, setAgain] = useState<paymentRoutes.OwnOrder>()
  return (
    <>
      <div className={classes.heading}>
        <PageHeader title={t('title')} />
      </div>
      <div className={classes.page}>
        <Stack gap="md" className={classes.paying}>
          <div className={classes.top}>
            <Stack gap="md">
              <BalanceCard />
              <RedeemCard key={code} initialCode={code} onForget={() => setSearch({ code: undefined })} />
            </Stack>
            <div ref={topUp}>
              <TopUpCard key={again?.trade_no} again={again} isAside={code !== undefined} />
            </div>
          </div>
          {/* Last, so that nothing beside it moves when it arrives. */}
          <LimitsCard />
          <Suspense>
            <SubscriptionsCard />
          </Suspense>
        </Stack>
        <div className={classes.ownOrders}>
          <OwnOrdersCard
            onAgain={(order) => {
              setAgain(order)
              topUp.current?.scrollIntoView({ block: 'center' })
            }}
          />
        </div>
        <StatementCard month={month} onMonth={(next) => setSearch({ month: next })} />
      </div>
    </>
  )
}

/** What is left of the limits of the reader's account; nothing without any. Those of plans are with the subscriptions. */
function LimitsCard() {
  const { t } = useTranslation('wallet')
  const { data = [] } = useOwnStandings()
  const ofAccount = data.filter(({ owner }) => owner !== 'token' && owner !== 'plan')
  if (ofAccount.length === 0) return null
  return (
    <WalletCard title={t('limits')}>
      <Suspense>
        <OwnLimits standings={ofAccount} />
      </Suspense>
    </WalletCard>
  )
}

interface TopUpCardProps {
  /** An unpaid order, whose amount and method are preselected. */
  readonly again?: paymentRoutes.OwnOrder
  /** The reader came with a code to redeem. */
  readonly isAside?: boolean
}

/** Buys balance online, where the site offers it. */
export function TopUpCard({ again, isAside = false }: TopUpCardProps) {
  const { t } = useTranslation('wallet')
  const { data: info, error, refetch } = useRead(paymentRoutes.topUpInfo)
  const [method] = info?.pay_methods ?? []
  return (
    <WalletCard title={t('topUp.title')}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!info && !error && <Skeleton h={200} />}
      {info && (!info.enable_online_topup || !method) && (
        <Text size="sm" c="dimmed">
          {t('topUp.off')}
        </Text>
      )}
      {info?.enable_online_topup && method && <TopUpForm info={info} first={method} again={again} isAside={isAside} />}
    </WalletCard>
  )
}
