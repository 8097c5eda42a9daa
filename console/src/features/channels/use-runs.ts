import { channelRoutes, channelStatus } from '@tollgate/contract'

import { call } from '../../lib/api/api'
import { useTranslation } from '../../lib/text/i18n'
import { useRun } from '../../lib/api/run-each'
import { channelReads } from './channel-data'
import type { Channel } from './channel-row'

export type RunKind = 'test' | 'enable' | 'disable'

const setStatus = (id: number, status: number) => call(channelRoutes.updateChannel, { body: { id, status } })

const works: Record<RunKind, (channel: Channel) => Promise<unknown>> = {
  test: ({ id }) => call(channelRoutes.testChannel, { params: { id } }),
  enable: ({ id }) => setStatus(id, channelStatus.enabled),
  disable: ({ id }) => setStatus(id, channelStatus.disabled),
}

/** Bulk operations on channels. */
export function useRuns() {
  const { t } = useTranslation('channels')
  return useRun({ works, reads: channelReads, doneText: (kind, count) => t(`run.done.${kind}`, { count }) })
}
