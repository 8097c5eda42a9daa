import { Skeleton, Text } from '@mantine/core'
import { paymentRoutes } from '@tollgate/contract'

import { ErrorState } from '../../../components/page/error-state'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { TopUpForm } from './top-up-form'
import { WalletCard } from './wallet-card'

interface TopUpCardProps {
  /** An unpaid order, whose amount and method are preselected. */
  readonly again?: paymentRoutes.OwnOrder
}

/** Buys balance online, where the site offers it. */
export function TopUpCard({ again }: TopUpCardProps) {
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
      {info?.enable_online_topup && method && <TopUpForm info={info} first={method} again={again} />}
    </WalletCard>
  )
}
