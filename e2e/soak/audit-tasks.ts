import { logType } from '@tollgate/contract'

import type { Queries } from '../ledger-audit'
import type { Problem } from './problem'
import { songQuota } from './site'
import type { TaskOutcome } from './task-traffic'

/** A task with what was charged and logged for it. */
export interface EndedTask {
  readonly public_id: string
  readonly user_id: number
  readonly token_id: number
  readonly status: string
  readonly prompt: string
  readonly quota: number
  /** Charges and consumption rows with its id, their quota, and holds that are left. */
  readonly charges: number
  readonly charged: number
  readonly rows: number
  readonly holds: number
}

const count = (table: string, condition: string) => `(select count(*) from ${table} where ${condition})`
const names = ['user_id', 'token_id', 'quota', 'charges', 'charged', 'rows', 'holds']

/** Resolves with the tasks of a round. */
export const endedTasks = (queries: Queries, round: string): Promise<EndedTask[]> =>
  queries.rows<EndedTask>(`select public_id, status, prompt,
    ${names.map((name) => `cast("${name}" as double precision) as "${name}"`).join(', ')} from (
      select public_id, status, prompt, user_id, token_id, quota,
        ${count('charges', 'request_id = public_id')} as charges,
        (select coalesce(sum(charges.quota), 0) from charges where request_id = public_id) as charged,
        ${count('logs', `request_id = public_id and type = ${logType.consumption}`)} as "rows",
        ${count('holds', 'holds.id = public_id')} as holds
      from tasks where prompt like 'soak-${round}-song-%') as found`)

/** Judges task by task: one that succeeded is charged exactly once, any other not at all, and none has a hold left. */
export function auditTasks(submitted: readonly TaskOutcome[], ended: readonly EndedTask[]): Problem[] {
  const rowsOf = Map.groupBy(ended, ({ prompt }) => prompt.split(' ')[0] ?? '')
  return [
    ...ended.flatMap(moneyProblems),
    ...submitted.flatMap((task) => fateProblems(task, rowsOf.get(task.name) ?? [])),
  ]
}

function moneyProblems(task: EndedTask): Problem[] {
  const { public_id: id, status, quota, charges, charged, rows, holds } = task
  const description = JSON.stringify(task)
  if (holds > 0) return [problem('leases', `the hold of task ${id} is left: ${description}`)]
  if (charges > 1 || rows > 1) return [problem('doubled', `task ${id} was charged more than once: ${description}`)]
  if (status !== 'SUCCESS')
    return charges + rows + quota > 0
      ? [problem('amount', `task ${id} has no result and was charged: ${description}`)]
      : []
  if (charges === 0 || rows === 0) return [problem('lost', `task ${id} succeeded and was not charged: ${description}`)]
  return quota === songQuota && charged === songQuota
    ? []
    : [problem('amount', `task ${id} costs ${songQuota}: ${description}`)]
}

/** How a task may end whose client was told its id. */
const allowed: Readonly<Record<TaskOutcome['fate'], readonly string[]>> = {
  finish: ['SUCCESS'],
  'at-once': ['SUCCESS'],
  // A worker that dies with the first report has the next one asked for.
  flip: ['SUCCESS', 'FAILURE'],
  fail: ['FAILURE'],
  forget: ['FAILURE'],
  hang: ['FAILURE'],
  refuse: [],
}

function fateProblems({ name, fate, payer, taskId, isLate }: TaskOutcome, rows: readonly EndedTask[]): Problem[] {
  const [row] = rows
  const description = `${name} ${taskId}`
  if (isLate) return [problem('other', `${description} was not answered`)]
  if (rows.length > 1) return [problem('doubled', `${description} has ${rows.length} rows`)]
  if (!row) return taskId === '' ? [] : [problem('lost', `${description} has no row`)]
  if (row.user_id !== payer.userId || row.token_id !== payer.tokenId)
    return [problem('amount', `${description} belongs to user ${row.user_id}, token ${row.token_id}`)]
  if (taskId !== '' && row.public_id !== taskId)
    return [problem('other', `${description} is stored as ${row.public_id}`)]
  // Without an id the client was refused, or the worker died; the task may have begun.
  const ends = taskId === '' ? ['FAILURE', ...allowed[fate]] : allowed[fate]
  return ends.includes(row.status) ? [] : [problem('other', `${description} (${fate}) ended as ${row.status}`)]
}

const problem = (kind: Problem['kind'], what: string): Problem => ({ kind, what })
