import { Paper, Skeleton } from '@mantine/core'
import { selfRoutes } from '@tollgate/contract'

import { ErrorState } from '../../components/error-state'
import { Facts } from '../../components/facts'
import { Money } from '../../components/money'
import { useTranslation } from '../../lib/i18n'
import { useRead } from '../../lib/query'

const rowHeight = 30

/** Who the reader is here. */
export function AccountCard() {
  const { t } = useTranslation('me')
  const { data, error, refetch } = useRead(selfRoutes.getSelf, {})
  return (
    <Paper px="md" py="xs">
      {data ? (
        <Facts
          facts={[
            [t('account.username'), data.username],
            [t('account.displayName'), data.display_name],
            [t('account.email'), data.email || t('account.noEmail')],
            [t('account.group'), data.group],
            [t('account.balance'), <Money key="balance" quota={data.quota} />],
          ]}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} isSmall />
      ) : (
        <Skeleton h={rowHeight * 5} />
      )}
    </Paper>
  )
}
