import type { Accepted, TaskProtocol } from '@tollgate/providers'

import type { Context } from '../context'
import type { Payer } from '../billing/ledger/ledger'
import type { TaskRow } from '../platform/store/tables'
import { applyReport } from './apply-report'
import type { EndDeps } from './end-task'
import { insertTask, moveTask, plain, readObject, toStoredJson, taskByPublicId, type NewTask } from './task-store'
import type { TaskTerms } from './task-terms'
import type { TaskAccount } from './vendor-call'

type Deps = EndDeps

/**
 * Records a task and holds what it may cost, before any vendor hears of it: whatever dies afterwards, the hold ends with the task.
 * @throws AppError `quota.user`, `quota.token`.
 */
export const beginTask = ({ ledger }: Pick<Context, 'ledger'>, task: NewTask, payer: Payer, amount: number) =>
  ledger.hold({ id: task.publicId, payer, amount }, (transaction) => insertTask(task, transaction))

/** How a vendor took a task. */
export interface Acceptance {
  readonly account: TaskAccount
  readonly protocol: Pick<TaskProtocol, 'pollMs' | 'deadlineMs'>
  readonly accepted: Accepted
  readonly terms: TaskTerms
}

/**
 * Records that a vendor accepted a task, and what it reported already. Resolves with the task; null where the task was given up meanwhile:
 * it must be cancelled at the vendor, as no customer pays for it.
 */
export async function acceptTask(deps: Deps, publicId: string, acceptance: Acceptance): Promise<TaskRow | null> {
  const { clock, database } = deps
  const { account, protocol, accepted, terms } = acceptance
  const { channel, key, upstreamModel } = account
  const row = await taskByPublicId(database.query, publicId)
  if (!row) return null
  const now = clock.now()
  const isAccepted = await moveTask(
    database.query,
    row.id,
    {
      status: 'SUBMITTED',
      channel_id: channel.id,
      channel_name: channel.name,
      key_fingerprint: key.fingerprint,
      upstream_model: upstreamModel,
      vendor_id: plain(accepted.vendorId),
      terms: JSON.stringify(terms),
      deadline_at: now + protocol.deadlineMs,
      poll_at: now + (protocol.pollMs[0] ?? protocol.deadlineMs),
      ...(accepted.data && { data: toStoredJson({ ...readObject(row.data), ...accepted.data }) }),
    },
    'NOT_START',
  )
  if (!isAccepted) return null
  const task = await taskByPublicId(database.query, publicId)
  if (!task || !accepted.report) return task ?? null
  await applyReport(deps, task, accepted.report, [key.value])
  return (await taskByPublicId(database.query, publicId)) ?? null
}
