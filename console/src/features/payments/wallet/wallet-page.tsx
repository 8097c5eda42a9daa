import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { paymentRoutes } from '@tollgate/contract'
import { useRef, useState } from 'react'

import { PageHeader } from '../../../components/page/page-header'
import { useTranslation } from '../../../lib/text/i18n'
import { useSearchChange } from '../../../lib/url/use-search-change'
import { BalanceCard } from './balance-card'
import { OwnOrdersCard } from './own-orders-card'
import { RedeemCard } from './redeem-card'
import { StatementCard } from './statement-card'
import { TopUpCard } from './top-up-card'
import type { WalletSearch } from './wallet-search'
import classes from './wallet.module.css'

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
      <PageHeader title={t('title')} />
      <div className={classes.page}>
        <Stack gap="md" className={classes.paying}>
          <div className={classes.top}>
            <Stack gap="md">
              <BalanceCard />
              <RedeemCard key={code} given={code} onForget={() => setSearch({ code: undefined })} />
            </Stack>
            <div ref={topUp}>
              <TopUpCard key={again?.trade_no} again={again} />
            </div>
          </div>
          <OwnOrdersCard
            onAgain={(order) => {
              setAgain(order)
              topUp.current?.scrollIntoView({ block: 'center' })
            }}
          />
        </Stack>
        <StatementCard month={month} onMonth={(next) => setSearch({ month: next })} />
      </div>
    </>
  )
}
