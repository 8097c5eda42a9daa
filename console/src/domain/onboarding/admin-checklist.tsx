import { channelRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import { Checklist, polling, type Step, useOwnSteps } from './checklist'
import { hasRows } from './use-first-call'
import { WaitingSteps } from './waiting-steps'

/** The channel whose test took longest: where it was never tested, none was. */
const slowestTested = { p: 1, page_size: 1, sort: 'response', descending: true } as const

/** The administrator's step before the others: a working channel. Not loaded for other users. */
export function AdminChecklist({ onDismiss }: { readonly onDismiss: () => void }) {
  const own = useOwnSteps()
  const { data: channels } = useRead(channelRoutes.listChannels, { query: slowestTested }, polling)
  if (!own || !channels) return <WaitingSteps isAdmin />
  const isTested = channels.items.some(({ test_time: at }) => at > 0)
  const steps: readonly Step[] = [
    { name: 'channel', isDone: hasRows(channels), link: { to: '/admin/channels', search: { edit: 'new' } } },
    { name: 'test', isDone: isTested, link: { to: '/admin/channels' } },
    ...own,
  ]
  return <Checklist steps={steps} onDismiss={onDismiss} />
}
