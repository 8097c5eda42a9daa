import { formatBytes, type systemRoutes } from '@tollgate/contract'

import { PlainTable } from '../../components/plain-table'
import { StatusBadge } from '../../components/status-badge'
import { TimeAgo } from '../../components/time-ago'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { Panel } from './panel'
import { useSpan } from '../../lib/text/use-span'

/** The worker processes of this node. */
export function WorkerList({ workers }: { readonly workers: readonly systemRoutes.WorkerState[] }) {
  const { t } = useTranslation('system')
  const { number } = useFormat()
  const span = useSpan()
  const delay = (ms: number | null) => (ms === null ? '–' : `${number(Math.round(ms * 10) / 10)} ms`)
  return (
    <Panel title={t('workers.title')}>
      <PlainTable
        label={t('workers.title')}
        minWidth={720}
        columns={[
          t('workers.pid'),
          t('workers.uptime'),
          t('workers.memory'),
          t('workers.calls'),
          t('workers.delay'),
          t('workers.journal'),
          t('workers.duty'),
        ]}
        rows={workers.map((worker) => ({
          key: worker.id,
          cells: [
            String(worker.pid),
            span(worker.uptime_seconds),
            formatBytes(worker.memory_bytes),
            number(worker.calls_in_flight),
            t('workers.delays', { mean: delay(worker.loop_delay_mean_ms), most: delay(worker.loop_delay_p99_ms) }),
            number(worker.journal_charges),
            worker.is_leader ? (
              <StatusBadge key="leader" tone="accent">
                {t('workers.leader')}
              </StatusBadge>
            ) : (
              t('workers.answers')
            ),
          ],
        }))}
      />
    </Panel>
  )
}

/** The gateways on the same database, where there are several. */
export function NodeList({ nodes }: { readonly nodes: systemRoutes.SystemState['nodes'] }) {
  const { t } = useTranslation('system')
  if (nodes.length < 2) return null
  return (
    <Panel title={t('nodes.title')}>
      <PlainTable
        label={t('nodes.title')}
        columns={[t('nodes.id'), t('nodes.workers'), t('nodes.started'), t('nodes.heard')]}
        rows={nodes.map((node) => ({
          key: node.id,
          cells: [
            node.is_this ? t('nodes.this', { id: node.id.slice(0, 8) }) : node.id.slice(0, 8),
            String(node.workers),
            <TimeAgo key="started" at={node.started_at} />,
            <TimeAgo key="heard" at={node.heard_of_at} />,
          ],
        }))}
      />
    </Panel>
  )
}
