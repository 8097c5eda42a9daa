import type { systemRoutes } from '@tollgate/contract'

import { PlainTable } from '../../components/plain-table'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { Panel } from './panel'
import { useSpan } from '../../lib/text/use-span'

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
