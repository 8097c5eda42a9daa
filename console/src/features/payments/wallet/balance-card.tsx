import { Button, Skeleton, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { accountRoutes, walletRoutes } from '@tollgate/contract'

import { ErrorState } from '../../../components/page/state-message'
import { Money } from '../../../domain/money'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { notifyWarning } from '../../../lib/browser/notify'
import { useRead } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { webAddress } from '../../../lib/url/web-address'
import { WalletCard } from './wallet-card'
import classes from './wallet.module.css'

/** The balance, the spending, and a link to where codes are sold. */
export function BalanceCard() {
  const { t } = useTranslation('wallet')
  const self = useRead(accountRoutes.getSelf, {})
  const shop = webAddress(useSite().top_up_link)
  const openShop = () => {
    if (shop === undefined) notifyWarning(t('balance.noShop'))
    else window.open(shop, '_blank', 'noopener,noreferrer')
  }
  return (
    <WalletCard
      title={t('balance.title')}
      actions={
        <Button variant="default" size="sm" rightSection={<IconExternalLink size={14} />} onClick={openShop}>
          {t('balance.shop')}
        </Button>
      }
    >
      {self.error && <ErrorState error={self.error} onRetry={() => void self.refetch()} isSmall />}
      {!self.data && !self.error && <Skeleton h={56} />}
      {self.data && (
        <>
          <Text component="div" className={classes.balance}>
            <Money quota={self.data.quota} c={self.data.quota < 0 ? 'red' : undefined} />
          </Text>
          <Text size="sm" c="dimmed">
            {t('balance.used')} <Money quota={self.data.used_quota} />
          </Text>
          <ExpiringQuota />
        </>
      )}
    </WalletCard>
  )
}

/** What of the balance is taken back when it ends, what ends first first. */
function ExpiringQuota() {
  const { t } = useTranslation('wallet')
  const { money } = useFormat()
  const { data = [] } = useRead(walletRoutes.expiringQuota, {})
  const left = data.filter(({ unspent }) => unspent > 0)
  return left.map(({ unspent, ends_at: endsAt }, index) => (
    <Text key={`${endsAt}-${index}`} size="sm" c="dimmed">
      {t('balance.expires', { quota: money(unspent), time: formatTime(endsAt) })}
    </Text>
  ))
}
