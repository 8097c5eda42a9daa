import { endedTaskStatuses } from '@tollgate/contract'
import type { TaskProtocol } from '@tollgate/providers'
import { sql } from 'kysely'

import type { Context } from '../context'
import { rowStatement, tableOf } from '../billing/ledger/charge/row-statement'
import { builtQuery, type Queries } from '../platform/store/database'
import type { TaskRow } from '../platform/store/tables'
import { accountOf, protocolOf } from './task-account'
import type { TaskAccount } from './vendor-call'

type Deps = Pick<Context, 'catalog' | 'clock' | 'database'>

/** A task to poll, with the account that it runs on. */
export interface Claim {
  readonly row: TaskRow
  /** Null: no vendor knows the task, or its channel is gone. */
  readonly vendor: { readonly account: TaskAccount; readonly protocol: TaskProtocol } | null
}

/**
 * Claims tasks that are due, at most `most`, by compare-and-set. A claim sets the time of the next poll, so that a poll that changes nothing
 * writes nothing more, and a task whose poller died is polled again in its turn.
 */
export async function claimTasks(
  deps: Deps,
  maxTasks: number,
): Promise<{ readonly claims: readonly Claim[]; readonly hasMore: boolean }> {
  const { clock, database } = deps
  const { dueTasks, claim } = statementsOf(database.query)
  const now = clock.now()
  const due = await dueTasks(now, ...endedTaskStatuses, maxTasks)
  if (due.length === 0) return { claims: [], hasMore: false }
  const claims = due.map((row): Claim => ({ row, vendor: vendorOf(deps, row) }))
  const times = claims.map(({ row, vendor }) => ({
    id: row.id,
    now,
    next_at: nextPoll(row, vendor?.protocol.pollMs ?? [], now),
  }))
  const claimed = await database.query.transaction().execute((transaction) => claim.run(transaction, times))
  const ids = new Set(claimed.map(({ id }) => id))
  return { claims: claims.filter(({ row }) => ids.has(row.id)), hasMore: due.length === maxTasks }
}

function vendorOf(deps: Deps, row: TaskRow): Claim['vendor'] {
  const account = row.vendor_id === '' ? null : accountOf(deps, row)
  const protocol = account && protocolOf(account, row)
  return account && protocol && { account, protocol }
}

const builtFor = new WeakMap<Queries, ReturnType<typeof buildStatements>>()

/** They run every second while tasks are open. */
function statementsOf(query: Queries) {
  const statements = builtFor.get(query) ?? buildStatements(query)
  builtFor.set(query, statements)
  return statements
}

const buildStatements = (query: Queries) => ({
  dueTasks: builtQuery(
    query,
    query
      .selectFrom('tasks')
      .selectAll()
      .where('poll_at', '<=', 0)
      // What is left to do of those is to fetch their results.
      .where('status', 'not in', endedTaskStatuses)
      .orderBy('poll_at')
      .limit(0),
  ),
  /** Returns the ids of those that were still due. */
  claim: rowStatement(query, { id: 0, now: 0, next_at: 0 }, (rows, query) =>
    sql<{ id: number }>`with claims${tableOf(rows)}
      update tasks set poll_at = claims.next_at, polls = polls + 1 from claims
      where tasks.id = claims.id and tasks.poll_at <= claims.now
        and status not in (${sql.join(endedTaskStatuses.map((status) => sql.lit(status)))})
      returning tasks.id`.compile(query),
  ),
})

/** A task that takes long is asked about less often: its end is noticed late by a tenth of its time, at most by a minute. */
const lateness = 1 / 10
const maxPauseMs = 60_000
/** Between two polls of a task that has no steps of its own. */
const usualPauseMs = 30_000
/** Tasks that become due within this time are asked about together. */
const togetherMs = 1000

function nextPoll(row: TaskRow, steps: readonly number[], now: number): number {
  const { polls, submitted_at: submittedAt, deadline_at: deadlineAt } = row
  const step = steps[Math.min(polls + 1, steps.length - 1)] ?? usualPauseMs
  const pause = Math.max(step, Math.min(maxPauseMs, (now - submittedAt) * lateness))
  const next = Math.ceil((now + pause) / togetherMs) * togetherMs
  // At its deadline it is asked about once more. From then on only a worker that died leaves it open.
  return deadlineAt > now ? Math.min(deadlineAt, next) : next
}

/**
 * Makes the next question about a task due at once. What a callback says is never believed: its vendor is asked instead. A task that no
 * vendor has accepted yet keeps its time.
 */
export async function pollTaskNow(
  { changes, clock, database: { query } }: Pick<Context, 'changes' | 'clock' | 'database'>,
  publicId: string,
): Promise<void> {
  const now = clock.now()
  const isMoved = await query.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('tasks')
      .set({ poll_at: now })
      .where('public_id', '=', publicId)
      .where('vendor_id', '!=', '')
      .where('status', 'not in', endedTaskStatuses)
      .where('poll_at', '>', now)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    // The worker that polls looks only at what is due soon.
    await changes.announce({ topic: 'task', refId: 0 }, transaction)
    return true
  })
  if (isMoved) await changes.deliver()
}
