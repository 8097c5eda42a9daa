import { batchPlatform, hasEnded } from '@tollgate/contract'

import { AppError } from '../platform/app-error'
import type { Context } from '../context'
import type { TaskRow } from '../platform/store/tables'
import { applyReport } from './apply-report'
import { wakeBatch } from './batches/batch-store'
import { queryVendor } from './query-vendor'
import { failTask, type EndDeps } from './end-task'
import { accountOf, isRunHere, protocolOf } from './task-account'
import { moveTask, readObject, toStoredJson } from './task-store'
import { callVendor, taskTarget } from './vendor-call'

type Deps = EndDeps & Pick<Context, 'config' | 'fetch' | 'log' | 'seal' | 'timers'>

type Placed = Parameters<typeof accountOf>[1] & Parameters<typeof protocolOf>[1] & Pick<TaskRow, 'status' | 'vendor_id'>

/** Returns whether a task can be stopped: at its vendor, or here. */
export function canCancel(deps: Pick<Context, 'catalog'>, row: Placed): boolean {
  if (hasEnded(row)) return false
  if (isRunHere(row)) return true
  if (row.vendor_id === '') return false
  const account = accountOf(deps, row)
  return account !== null && protocolOf(account, row)?.cancel !== undefined
}

/**
 * Stops a task at its vendor, and gives its hold back; a call that the gateway runs itself is told that no client waits for it, and is charged
 * as any other whose client left. A vendor is asked first: what it has made meanwhile is charged.
 * @throws AppError `task.ended`, `task.cancel_unsupported`, `upstream.failed`; UpstreamError.
 */
export async function cancelTask(deps: Deps, row: TaskRow): Promise<void> {
  const params = { id: row.public_id }
  const ended = new AppError('task.ended', { params })
  if (hasEnded(row)) throw ended
  if (isRunHere(row)) {
    const data = toStoredJson({ ...readObject(row.data), isCancelled: true, cancelledAt: deps.clock.seconds() })
    if (!(await moveTask(deps.database.query, row.id, { data }))) throw ended
    if (row.platform === batchPlatform) await wakeBatch(deps, row.public_id)
    return
  }
  const account = row.vendor_id === '' ? null : accountOf(deps, row)
  const protocol = account && protocolOf(account, row)
  if (!account || !protocol?.cancel) throw new AppError('task.cancel_unsupported', { params })
  const hasEndedThere = async () => {
    const report = (await queryVendor(deps, { account, protocol }, [row.vendor_id]))?.get(row.vendor_id)
    return report?.status === 'success' && (await applyReport(deps, row, report, [account.key.value])) === 'ended'
  }
  if (await hasEndedThere()) throw ended
  const { status } = await callVendor(
    deps,
    account,
    protocol,
    protocol.cancel(row.vendor_id, taskTarget(deps, account)),
  )
  if (status < 200 || status >= 300) throw new AppError('upstream.failed', { params: { status } })
  // It may have been done between the two, if it is known there still.
  if (await hasEndedThere()) throw ended
  if (!(await failTask(deps, row, { code: 'task.cancelled' }, { status: 'CANCEL' }))) throw ended
}
