import { Alert, Paper, Text } from '@mantine/core'
import { formatBytes, systemRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { Facts } from '../../components/facts'
import { ErrorState } from '../../components/page/state-message'
import { Money } from '../../domain/money'
import { useRead, useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { notifySuccess } from '../../lib/browser/notify'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import classes from './settings.module.css'

/** What the response cache did and holds, and a button to empty it; nothing for who may only set its price. */
export function ResponseCache() {
  const { may } = useViewer()
  return may('settings.read') ? <CacheState /> : null
}

function CacheState() {
  const { t } = useTranslation('system')
  const { number } = useFormat()
  const { may } = useViewer()
  const { data, error, refetch } = useRead(systemRoutes.responseCache)
  const { mutate: clear, isPending } = useWrite(systemRoutes.clearResponseCache, {
    changes: [systemRoutes.responseCache],
    onSuccess: () => notifySuccess(t('responseCache.cleared')),
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} isSmall />
  if (!data) return null
  const { saved_cost_quota: cost } = data
  return (
    <Paper className={classes.extra}>
      {data.is_alone && <Alert color="yellow">{t('responseCache.alone')}</Alert>}
      <Facts
        facts={[
          [t('responseCache.hits'), number(data.hits)],
          [t('responseCache.misses'), number(data.misses)],
          [t('responseCache.entries'), number(data.entries)],
          [t('responseCache.bytes'), formatBytes(data.bytes)],
          [t('responseCache.saved'), <Money key="saved" quota={data.saved_quota} />],
          [t('responseCache.savedCost'), cost !== undefined && <Money key="cost" quota={cost} />],
        ]}
      />
      <Text size="sm" c="dimmed">
        {t(data.is_shared ? 'responseCache.shared' : 'responseCache.own')}
      </Text>
      {may('settings.write') && (
        <div>
          <ConfirmButton
            title={t('responseCache.clear')}
            question={t('responseCache.question')}
            confirmText={t('responseCache.clear')}
            loading={isPending}
            onConfirm={() => clear({})}
          >
            {t('responseCache.clear')}
          </ConfirmButton>
        </div>
      )}
    </Paper>
  )
}
