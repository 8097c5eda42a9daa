import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { systemRoutes } from '@tollgate/contract'

import { useTranslation } from '../lib/text/i18n'
import { notifySuccess } from '../lib/browser/notify'
import { useRead, useWrite } from '../lib/api/query'
import { useViewer } from '../lib/api/session'
import { ErrorState } from '../components/page/state-message'
import { Markdown } from '../components/texts/markdown'
import { TimeAgo } from '../components/time-ago'

/** The version with its button, and a line below. */
const waitingHeight = 68

/** The running release, whether there is a newer one, and its notes. */
export function ReleaseCheck() {
  const { t } = useTranslation('system')
  const { may } = useViewer()
  const { data: release, error, refetch } = useRead(systemRoutes.release)
  const { mutate, isPending } = useWrite(systemRoutes.checkRelease, {
    changes: [systemRoutes.release],
    onSuccess: ({ news, is_newer: isNewer }) => {
      if (!news?.failure && !isNewer) notifySuccess(t('release.latest'))
    },
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} isSmall />
  if (!release) return <Skeleton h={waitingHeight} />
  const { current, news, is_newer: isNewer, is_set_up: isSetUp } = release
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Text size="sm">{t('release.current', { version: current })}</Text>
        {may('settings.write') && (
          <Button variant="default" size="xs" loading={isPending} disabled={!isSetUp} onClick={() => mutate({})}>
            {t('release.check')}
          </Button>
        )}
        {news && (
          <Text size="sm" c="dimmed">
            {t('release.checked')} <TimeAgo at={news.checked_at} />
          </Text>
        )}
      </Group>
      {!isSetUp && (
        <Text size="sm" c="dimmed">
          {t('release.off')}
        </Text>
      )}
      {news && news.failure !== '' && (
        <Alert color="yellow">{t(`release.failure.${news.failure}`, { status: news.status })}</Alert>
      )}
      {news && isNewer && (
        <Alert color="blue" title={t('release.newer', { version: news.version })}>
          <Markdown text={news.notes || t('release.noNotes')} />
        </Alert>
      )}
    </Stack>
  )
}
