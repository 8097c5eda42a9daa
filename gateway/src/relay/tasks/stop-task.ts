import type { TaskRow } from '../../store/tables'
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
