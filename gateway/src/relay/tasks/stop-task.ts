import { hasEnded } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { TaskRow } from '../../platform/store/tables'
import { cancelTask } from '../../tasks/cancel-task'
import type { RelayDeps } from '../call-context'

/**
 * Cancels a task; a call that runs here learns of it at once.
 * @throws AppError, UpstreamError as `cancelTask`.
 */
export async function stopTask({ ctx, inFlight }: RelayDeps, row: TaskRow): Promise<void> {
  await cancelTask(ctx, row)
  await inFlight.background.renew(ctx)
}

/** The same for calls that may be repeated: a task that has ended, also in this moment, stays as it is. */
export async function stopUnlessEnded(deps: RelayDeps, row: TaskRow): Promise<void> {
  if (hasEnded(row)) return
  await stopTask(deps, row).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'task.ended')) throw error
  })
}
