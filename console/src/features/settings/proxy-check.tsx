import { Alert, Paper, Skeleton } from '@mantine/core'
import { optionRoutes } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'
import { Facts } from '../../components/facts'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import classes from './settings.module.css'

/** The alert and two addresses, so that the sections below stay where they are. */
const waitingHeight = 132

/** Shows whether the gateway can take the client's address from a proxy, and the address it currently sees for this reader. */
export function ProxyCheck() {
  const { t } = useTranslation('settings')
  const { data: seen, error, refetch } = useRead(optionRoutes.proxyView)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} isSmall />
  if (!seen) return <Skeleton h={waitingHeight} radius="lg" />
  const { peer, address, address_if_enabled: addressIfEnabled } = seen
  return (
    <Paper className={classes.extra}>
      {!seen.has_trusted_proxies && (
        <Alert color={seen.headers.length > 0 ? 'yellow' : 'gray'}>{t('proxy.none')}</Alert>
      )}
      {seen.has_trusted_proxies && !seen.is_peer_trusted && (
        <Alert color="yellow">{t('proxy.untrusted', { peer })}</Alert>
      )}
      {seen.is_peer_trusted && <Alert color="green">{t('proxy.works', { peer })}</Alert>}
      <Facts
        facts={[
          [t('proxy.peer'), peer],
          ...seen.headers.map(({ name, value }) => [name, value] as const),
          [t('proxy.address'), address],
          [t('proxy.ifEnabled'), addressIfEnabled !== address && addressIfEnabled],
        ]}
      />
    </Paper>
  )
}
