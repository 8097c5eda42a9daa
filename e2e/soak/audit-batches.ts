import { endedTaskStatuses, logType } from '@tollgate/contract'

import type { Queries } from '../ledger-audit'
import type { BatchOutcome } from './batch-traffic'
import type { Problem } from './problem'

/** A batch with what was stored, charged and logged for its lines. */
export interface EndedBatch {
  readonly public_id: string
  readonly status: string
  readonly user_id: number
  readonly token_id: number
  /** What the batch says. */
  readonly quota: number
  readonly total: number
  readonly completed: number
  readonly failed: number
  /** Lines by what became of them. */
  readonly lines: number
  readonly succeeded: number
  readonly waiting: number
  /** Charges and consumption rows of its lines, the quota of the charges, and holds that are left. */
  readonly charges: number
  readonly charged: number
  readonly rows: number
  readonly holds: number
}

const linesOf = (condition: string) => `(select count(*) from batch_lines where batch_id = task_id and ${condition})`
const ofLines = `request_id like public_id || '-%'`
const figures = {
  user_id: 'user_id',
  token_id: 'token_id',
  quota: 'quota',
  total: 'total',
  completed: 'completed',
  failed: 'failed',
  lines: linesOf('state >= 0'),
  succeeded: linesOf('state = 1'),
  waiting: linesOf('state = 0'),
  charges: `(select count(*) from charges where ${ofLines})`,
  charged: `(select coalesce(sum(charges.quota), 0) from charges where ${ofLines})`,
  rows: `(select count(*) from logs where ${ofLines} and type = ${logType.consumption})`,
  holds: '(select count(*) from holds where holds.id = public_id)',
}

/** Resolves with all batches of the site. */
export const endedBatches = (queries: Queries): Promise<EndedBatch[]> =>
  queries.rows<EndedBatch>(`select public_id, status,
    ${Object.entries(figures)
      .map(([name, expression]) => `cast(${expression} as double precision) as "${name}"`)
      .join(', ')}
    from tasks join batches on batches.task_id = tasks.public_id`)

const ended: ReadonlySet<string> = new Set(endedTaskStatuses)

/** Judges batch by batch: each line that succeeded is charged exactly once and no other is, no line waits, and no hold is left. */
export function auditBatches(submitted: readonly BatchOutcome[], batches: readonly EndedBatch[]): Problem[] {
  const known = new Map(batches.map((batch) => [batch.public_id, batch]))
  return [
    ...batches.flatMap(problemsOf),
    ...submitted.flatMap(({ batchId, lines, payer }): Problem[] => {
      if (batchId === '') return []
      const batch = known.get(batchId)
      if (!batch) return [{ kind: 'lost', what: `batch ${batchId} has no row` }]
      const isOwn = batch.user_id === payer.userId && batch.token_id === payer.tokenId && batch.total === lines
      return isOwn
        ? []
        : [{ kind: 'other', what: `batch ${batchId} is not as it was submitted: ${JSON.stringify(batch)}` }]
    }),
  ]
}

function problemsOf(batch: EndedBatch): Problem[] {
  const { status, quota, total, completed, failed, lines, succeeded, waiting, charges, charged, rows, holds } = batch
  const what = `batch ${JSON.stringify(batch)}`
  const problems: Problem[] = []
  if (holds > 0) problems.push({ kind: 'leases', what: `the hold is left of ${what}` })
  if (!ended.has(status) || waiting > 0) problems.push({ kind: 'lost', what: `lines wait in ${what}` })
  if (charges > succeeded || rows > succeeded) problems.push({ kind: 'doubled', what: `too many charges for ${what}` })
  if (charges < succeeded || rows < succeeded) problems.push({ kind: 'lost', what: `charges are missing for ${what}` })
  if (charged !== quota) problems.push({ kind: 'amount', what: `${charged} were charged for ${what}` })
  if (lines !== total || completed !== succeeded || failed !== total - succeeded)
    problems.push({ kind: 'other', what: `the counts differ in ${what}` })
  return problems
}
