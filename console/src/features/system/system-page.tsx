import { Button, SimpleGrid, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { addressOf, formatBytes, systemRoutes } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'
import { Facts } from '../../components/facts'
import { PageHeader } from '../../components/page/page-header'
import { PageLoading } from '../../components/page/page-loading'
import { ReleaseCheck } from '../../domain/release-check'
import { TimeAgo } from '../../components/time-ago'
import { call } from '../../lib/api/api'
import { useFormat } from '../../lib/text/use-format'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useTicketDownload } from '../../lib/api/use-ticket-download'
import { Checks } from './checks'
import { JobList } from './job-list'
import { LogLevel } from './log-level'
import { Panel } from './panel'
import { NodeList, WorkerList } from './worker-list'
import { PlainTable } from '../../components/plain-table'
import { useSpan } from '../../lib/text/use-span'

const refreshMs = 10_000

/** Status of the running system, for its operators. */
export function SystemPage() {
  const { t } = useTranslation('system')
  const { may } = useViewer()
  const { data: state, error, refetch } = useRead(systemRoutes.systemState, undefined, { refetchInterval: refreshMs })
  const bundle = useTicketDownload(
    () => call(systemRoutes.createBundleTicket),
    (query) => addressOf(systemRoutes.fetchBundle, { query }),
  )
  return (
    <>
      <PageHeader title={t('title')} description={t('hint')}>
        {may('settings.secure') && (
          <Button
            variant="default"
            leftSection={<IconDownload size={15} />}
            loading={bundle.isBusy}
            onClick={bundle.start}
          >
            {t('bundle')}
          </Button>
        )}
      </PageHeader>
      {!state && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!state && !error && <PageLoading />}
      {state && (
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <Panel title={t('program.title')}>
              <Facts
                facts={[
                  [t('program.version'), `${state.version} (${state.build})`],
                  [t('program.runtime'), `${state.runtime}, ${state.platform}`],
                  [t('program.host'), state.host],
                  [t('program.started'), <TimeAgo key="started" at={state.started_at} />],
                  [t('program.https'), t('program.proxy')],
                ]}
              />
              <ReleaseCheck />
            </Panel>
            <Panel title={t('storage.title')}>
              <Facts
                facts={[
                  [
                    t('storage.database'),
                    `${state.database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${state.database.version}`,
                  ],
                  [t('storage.place'), state.database.location],
                  [t('storage.size'), formatBytes(state.database.bytes)],
                  [t('storage.folder'), state.data_dir],
                  [t('storage.data'), formatBytes(state.disk.data_bytes)],
                  [t('storage.backups'), formatBytes(state.disk.backup_bytes)],
                  [
                    t('storage.free'),
                    t('storage.freeOf', {
                      free: formatBytes(state.disk.free_bytes),
                      total: formatBytes(state.disk.total_bytes),
                    }),
                  ],
                  [t('storage.aside'), state.set_aside.join(', ')],
                ]}
              />
              <LogLevel log={state.log} />
            </Panel>
          </SimpleGrid>
          <Checks />
          <WorkerList workers={state.workers} />
          <NodeList nodes={state.nodes} />
          <QueueList queues={state.queues} />
          <JobList jobs={state.jobs} />
        </Stack>
      )}
    </>
  )
}

/** Pending work. */
export function QueueList({ queues }: { readonly queues: systemRoutes.SystemState['queues'] }) {
  const { t } = useTranslation('system')
  const { number } = useFormat()
  const span = useSpan()
  return (
    <Panel title={t('queues.title')}>
      <PlainTable
        label={t('queues.title')}
        minWidth={420}
        columns={[t('queues.name'), t('queues.waiting'), t('queues.oldest')]}
        rows={queues.map(({ name, waiting, oldest_seconds: oldest }) => ({
          key: name,
          cells: [t(`queues.of.${name}`), waiting === null ? '–' : number(waiting), oldest === 0 ? '–' : span(oldest)],
        }))}
      />
    </Panel>
  )
}
