import type { systemRoutes } from '@tollgate/contract'

import { PlainTable } from '../../components/plain-table'
import { StatusBadge } from '../../components/status-badge'
import { TimeAgo } from '../../components/time-ago'
import { formatDuration } from '../../lib/text/format'
import { findText, useTranslation } from '../../lib/text/i18n'
import { Panel } from './panel'
import { useSpan } from '../../lib/text/use-span'

const tones = { ok: 'good', failed: 'bad', running: 'accent' } as const

/** Periodic jobs of the site with their last runs. */
export function JobList({ jobs }: { readonly jobs: readonly systemRoutes.JobRun[] }) {
  const { t } = useTranslation('system')
  const span = useSpan()
  return (
    <Panel title={t('jobs.title')}>
      <PlainTable
        label={t('jobs.title')}
        minWidth={720}
        columns={[t('jobs.name'), t('jobs.result'), t('jobs.last'), t('jobs.took'), t('jobs.next')]}
        rows={jobs.map((job) => ({
          key: job.name,
          cells: [
            findText('system', `jobs.of.${job.name}`) ?? job.name,
            <StatusBadge key="result" tone={tones[job.outcome]} reason={job.error}>
              {t(`jobs.outcome.${job.outcome}`)}
              {job.outcome === 'running' && job.progress
                ? ` · ${t('jobs.progress', { percent: job.progress.percent, count: job.progress.removed })}`
                : null}
            </StatusBadge>,
            <TimeAgo key="last" at={Math.floor(job.started_at_ms / 1000)} />,
            job.duration_ms === null ? '–' : formatDuration(job.duration_ms),
            job.every_ms < 60_000 ? (
              t('jobs.every', { span: span(job.every_ms / 1000) })
            ) : (
              <TimeAgo key="next" at={Math.floor((job.started_at_ms + job.every_ms) / 1000)} />
            ),
          ],
        }))}
      />
    </Panel>
  )
}
