import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { addressOf, backupRoutes, formatBytes } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'
import { MenuButton } from '../../components/menu-button'
import { PlainTable } from '../../components/plain-table'
import { StatusBadge } from '../../components/status-badge'
import { TimeAgo } from '../../components/time-ago'
import { call } from '../../lib/api/api'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useTicketDownload } from '../../lib/api/use-ticket-download'
import classes from './settings.module.css'

/** Polling interval while one is being created. */
const pollIntervalMs = 2000

/** The backups of this node: creates, verifies, downloads and deletes them. */
export function Backups() {
  const { t } = useTranslation('system')
  const { may } = useViewer()
  const { data, error, refetch } = useRead(backupRoutes.listBackups)
  useRead(backupRoutes.listBackups, undefined, { enabled: data?.is_running === true, refetchInterval: pollIntervalMs })
  const { mutate: make, isPending } = useWrite(backupRoutes.makeBackup, { changes: [backupRoutes.listBackups] })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} isSmall />
  if (!data) return null
  const { items, is_running: isRunning, last } = data
  return (
    <Paper className={classes.extra}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('backup.place', { folder: data.folder, free: formatBytes(data.free_bytes) })}
        </Text>
        {may('settings.secure') && (
          <Button variant="default" loading={isPending || isRunning} onClick={() => make({})}>
            {t('backup.make')}
          </Button>
        )}
      </Group>
      {!data.has_database && <Alert color="yellow">{t('backup.postgres')}</Alert>}
      {!data.has_secret_key && <Alert color="yellow">{t('backup.secret')}</Alert>}
      {last && last.failure !== '' && !isRunning && (
        <Alert color="red">{t('backup.failed', { reason: last.failure })}</Alert>
      )}
      {items.length === 0 ? (
        <Text size="sm">{t('backup.none')}</Text>
      ) : (
        <PlainTable
          label={t('backup.title')}
          columns={[t('backup.made'), t('backup.kind'), t('backup.size'), t('backup.release')]}
          actionTitle={t('backup.actions')}
          rows={items.map((backup) => ({
            key: backup.name,
            cells: [
              <TimeAgo key="time" at={backup.created_at} />,
              backup.failure ? (
                <StatusBadge key="kind" tone="bad" reason={backup.failure}>
                  {t('backup.damaged')}
                </StatusBadge>
              ) : (
                t(backup.is_scheduled ? 'backup.scheduled' : 'backup.manual')
              ),
              formatBytes(backup.bytes),
              backup.release,
            ],
            action: <BackupMenu name={backup.name} />,
          }))}
        />
      )}
      <Stack gap={2}>
        <Text size="sm" c="dimmed">
          {t('backup.restore')}
        </Text>
      </Stack>
    </Paper>
  )
}

function BackupMenu({ name }: { readonly name: string }) {
  const { t } = useTranslation('system')
  const isAllowed = useViewer().may('settings.secure')
  const params = { name }
  const download = useTicketDownload(
    () => call(backupRoutes.createBackupTicket, { params }),
    (query) => addressOf(backupRoutes.fetchBackup, { params, query }),
  )
  const verify = useWrite(backupRoutes.verifyBackup, {
    onSuccess: ({ failure }) =>
      failure ? notifyWarning(t('backup.notWhole', { reason: failure })) : notifySuccess(t('backup.whole')),
  })
  const remove = useWrite(backupRoutes.deleteBackup, { changes: [backupRoutes.listBackups] })
  return (
    <MenuButton
      label={t('backup.actionsOf', { name })}
      icon={IconDotsVertical}
      items={[
        { id: 'verify', label: t('backup.verify'), isDisabled: !isAllowed, onClick: () => verify.mutate({ params }) },
        {
          id: 'download',
          label: t('backup.download'),
          isDisabled: !isAllowed || download.isBusy,
          onClick: download.start,
        },
        {
          id: 'delete',
          label: t('backup.delete'),
          isDangerous: true,
          isDisabled: !isAllowed,
          confirmation: {
            title: t('backup.delete'),
            question: t('backup.deleteQuestion', { name }),
            confirmText: t('backup.delete'),
          },
          onClick: () => remove.mutate({ params }),
        },
      ]}
    />
  )
}
