import { hasEnded } from '@tollgate/contract'

import { AppError } from '../app-error'
import type { Context } from '../context'
import type { TaskRow } from '../store/tables'
import { failTask, type EndParts } from './end-task'
import { isRunHere } from './run-here'
import { accountOf, protocolOf } from './task-account'
import { callVendor, taskTarget } from './vendor-call'

type Parts = EndParts & Pick<Context, 'fetch' | 'seal'>

type Placed = Parameters<typeof accountOf>[1] & Parameters<typeof protocolOf>[1] & Pick<TaskRow, 'status' | 'vendor_id'>

/** Returns whether a task can be stopped: at its vendor, or here. */
export function canCancel(parts: Pick<Context, 'catalog'>, row: Placed): boolean {
  if (hasEnded(row)) return false
  if (isRunHere(row)) return true
  if (row.vendor_id === '') return false
  const account = accountOf(parts, row)
  return account !== null && protocolOf(account, row)?.cancel !== undefined
}

/**
 * Stops a task at its vendor, or where the gateway runs it, and gives its hold back. Only vendors that charge nothing for a stopped task can.
 * @throws AppError `task.ended`, `task.cancel_unsupported`, `upstream.failed`; UpstreamError.
 */
export async function cancelTask(parts: Parts, row: TaskRow): Promise<void> {
  const params = { id: row.public_id }
  if (hasEnded(row)) throw new AppError('task.ended', { params })
  if (isRunHere(row)) return endCancelled(parts, row)
  const account = row.vendor_id === '' ? null : accountOf(parts, row)
  const protocol = account && protocolOf(account, row)
  if (!account || !protocol?.cancel) throw new AppError('task.cancel_unsupported', { params })
  const { status } = await callVendor(
    parts,
    account,
    protocol,
    protocol.cancel(row.vendor_id, taskTarget(parts, account)),
  )
  if (status < 200 || status >= 300) throw new AppError('upstream.failed', { params: { status } })
  return endCancelled(parts, row)
}

/** The worker that runs a call in the background stops it when it sees that its task has ended. */
async function endCancelled(parts: Parts, row: TaskRow): Promise<void> {
  const isCancelled = await failTask(parts, row, { code: 'task.cancelled' }, { status: 'CANCEL' })
  if (!isCancelled) throw new AppError('task.ended', { params: { id: row.public_id } })
}
