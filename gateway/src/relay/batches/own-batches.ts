import { hasEnded } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { ownBatch, type Batch } from '../../tasks/batches/batch-store'
import { ownerOf, type IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { maxIdLength, readingCaller, stopUnlessEnded } from '../tasks/task-call'

/** Resolves with a batch of the caller, submitted in this dialect. @throws AppError `task.none`, also for one of another. */
export async function requireBatch(
  call: IncomingCall,
  deps: RelayDeps,
  id: string,
  dialect: Batch['row']['dialect'],
): Promise<Batch> {
  const batch = await ownBatch(deps.ctx.database.query, id, ownerOf(await readingCaller(call, deps)), dialect)
  if (!batch) throw new AppError('task.none', { params: { id: id.slice(0, maxIdLength) } })
  return batch
}

/** Cancels a batch: calls under way end and are charged, no other begins. One that has ended stays as it is. Resolves with the batch. */
export async function cancelBatch(batch: Batch, deps: RelayDeps): Promise<Batch> {
  const { task, row } = batch
  if (hasEnded(task)) return batch
  await stopUnlessEnded(deps, task)
  const { query } = deps.ctx.database
  const { userId, tokenId } = { userId: task.user_id, tokenId: null }
  return (await ownBatch(query, task.public_id, { userId, tokenId }, row.dialect)) ?? batch
}
