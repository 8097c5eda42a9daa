import { endedTaskStatuses } from '@tollgate/contract'
import type { TaskProtocol } from '@tollgate/providers'

import { UpstreamError } from '../channels/calls/upstream-error'
import type { Context } from '../context'
import { mask } from '../mask'
import type { TaskRow } from '../store/tables'
import { applyReport } from './apply-report'
import { failTask, type EndParts } from './end-task'
import { accountOf, protocolOf } from './task-account'
import { callVendor, taskTarget, type TaskAccount } from './vendor-call'

type Parts = EndParts & Pick<Context, 'config' | 'fetch' | 'log' | 'outbound' | 'seal'>

/** Read at once. */
const rowsAtOnce = 1000
/** A poller that has not finished with a task by now is dead. */
const claimMs = 30_000
/** Polls in flight, in total and per channel: a slow vendor must not delay the others. */
const callsAtOnce = 32
const callsPerChannel = 4

/** Polls vendors for all tasks that are due, until none is. Each task is claimed first, so that pollers never ask about the same one. */
export async function pollTasks(parts: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await claimDue(parts)
    if (due.length === 0) return
    await planNext(parts, await pollAll(parts, groupsOf(parts, due), signal))
    if (due.length < rowsAtOnce) return
  }
}

/** Claims due tasks by compare-and-set, and counts the poll before it is made. */
async function claimDue({ clock, database: { query } }: Parts): Promise<TaskRow[]> {
  const now = clock.now()
  const due = await query
    .selectFrom('tasks')
    .select('id')
    .where('poll_at', '<=', now)
    // What is left to do of those is to fetch their results.
    .where('status', 'not in', endedTaskStatuses)
    .orderBy('poll_at')
    .limit(rowsAtOnce)
    .execute()
  if (due.length === 0) return []
  return query
    .updateTable('tasks')
    .set((eb) => ({ poll_at: now + claimMs, polls: eb('polls', '+', 1) }))
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .where('poll_at', '<=', now)
    .where('status', 'not in', endedTaskStatuses)
    .returningAll()
    .execute()
}

/** Tasks that one question is about, or that cannot be asked about. */
interface Group {
  readonly rows: readonly TaskRow[]
  /** Null: no vendor knows them, or their channel is gone. */
  readonly account: TaskAccount | null
  readonly protocol: TaskProtocol | null
}

function groupsOf(parts: Parts, rows: readonly TaskRow[]): Group[] {
  const protocols = new Map<TaskProtocol, Map<string, { account: TaskAccount; rows: TaskRow[] }>>()
  const lost: Group[] = []
  for (const row of rows) {
    const account = row.vendor_id === '' ? null : accountOf(parts, row)
    const protocol = account && protocolOf(account, row)
    if (!account || !protocol) {
      lost.push({ rows: [row], account: null, protocol: null })
      continue
    }
    const byAccount = protocols.get(protocol) ?? new Map<string, { account: TaskAccount; rows: TaskRow[] }>()
    protocols.set(protocol, byAccount)
    // Where every task is asked about by itself its model may be a part of the question.
    const name = `${account.channel.id}\n${account.key.fingerprint}\n${protocol.batch === 1 ? row.id : ''}`
    const known = byAccount.get(name)
    if (known) known.rows.push(row)
    else byAccount.set(name, { account, rows: [row] })
  }
  const asked = [...protocols].flatMap(([protocol, byAccount]) =>
    [...byAccount.values()].flatMap(({ account, rows: all }) =>
      inBatches(all, protocol.batch).map((some): Group => ({ account, protocol, rows: some })),
    ),
  )
  return [...lost, ...asked]
}

const inBatches = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** Resolves with when tasks that have not ended are asked about again. */
async function pollAll(parts: Parts, groups: readonly Group[], signal: AbortSignal): Promise<Plan[]> {
  const plans: Plan[] = []
  const waiting = [...groups]
  const underWay = new Map<number, number>()
  const take = (): Group | undefined => {
    const at = waiting.findIndex(({ account }) => (underWay.get(account?.channel.id ?? 0) ?? 0) < callsPerChannel)
    return at < 0 ? undefined : waiting.splice(at, 1)[0]
  }
  const work = async (): Promise<void> => {
    for (let group = take(); group && !signal.aborted; group = take()) {
      const channelId = group.account?.channel.id ?? 0
      underWay.set(channelId, (underWay.get(channelId) ?? 0) + 1)
      try {
        plans.push(...(await pollGroup(parts, group)))
      } finally {
        underWay.set(channelId, (underWay.get(channelId) ?? 1) - 1)
      }
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, work))
  return plans
}

async function pollGroup(parts: Parts, { rows, account, protocol }: Group): Promise<Plan[]> {
  if (!account || !protocol) {
    // A submission that has no vendor by now has failed: its worker died.
    for (const row of rows)
      await failTask(parts, row, { code: row.vendor_id === '' ? 'task.interrupted' : 'task.channel_gone' })
    return []
  }
  const stay = await reportsOn(parts, { rows, account, protocol })
  const now = parts.clock.now()
  return stay.map((row) => ({ id: row.id, pollAt: nextPoll(row, protocol, now) }))
}

/** Asks about tasks and applies what is said. Resolves with those that have not ended. */
async function reportsOn(
  parts: Parts,
  { rows, account, protocol }: { rows: readonly TaskRow[]; account: TaskAccount; protocol: TaskProtocol },
): Promise<TaskRow[]> {
  const { clock, log } = parts
  const ids = rows.map((row) => row.vendor_id)
  const stay: TaskRow[] = []
  const isLate = (row: TaskRow) => row.deadline_at <= clock.now()
  let reports: ReturnType<TaskProtocol['readReports']> | null = null
  try {
    const reply = await callVendor(parts, account, protocol, protocol.fetch(ids, taskTarget(parts, account)))
    // A vendor that is asked about one task says by its status that it does not know it.
    if (reply.status === 404 && protocol.batch === 1) reports = []
    else if (reply.status < 200 || reply.status >= 300) throw new TypeError(`HTTP ${reply.status}`)
    else reports = protocol.readReports(reply, ids)
  } catch (error) {
    if (!(error instanceof UpstreamError) && !(error instanceof TypeError)) throw error
    const message = mask(error.message, [account.key.value])
    log.warn({ channel: account.channel.id, tasks: ids.length, message }, 'a vendor could not be asked about tasks')
  }
  const byId = new Map(reports?.map((report) => [report.vendorId, report]))
  for (const row of rows) {
    const report = reports && (byId.get(row.vendor_id) ?? ({ status: 'unknown', progress: null } as const))
    const applied = report ? await applyReport(parts, row, report, [account.key.value]) : 'same'
    if (applied === 'ended') continue
    if (isLate(row)) await failTask(parts, row, { code: 'task.timeout' })
    else stay.push(row)
  }
  return stay
}

/** When a task is asked about next, in milliseconds. */
interface Plan {
  readonly id: number
  readonly pollAt: number
}

/** A task that takes long is asked about less often: its end is noticed late by a tenth of its time, at most by a minute. */
const lateness = 1 / 10
const mostPauseMs = 60_000
/** Tasks that become due within this time are asked about together. */
const togetherMs = 1000

function nextPoll(row: TaskRow, { pollMs }: TaskProtocol, now: number): number {
  const { polls, submitted_at: submittedAt, deadline_at: deadlineAt } = row
  const step = pollMs[Math.min(polls, pollMs.length - 1)] ?? claimMs
  const pause = Math.max(step, Math.min(mostPauseMs, (now - submittedAt) * lateness))
  return Math.min(deadlineAt, Math.ceil((now + pause) / togetherMs) * togetherMs)
}

/** Records the plans, in one statement for all tasks of the same time. */
async function planNext({ clock, database: { query } }: Parts, plans: readonly Plan[]): Promise<void> {
  for (const [pollAt, some] of Map.groupBy(plans, (plan) => plan.pollAt)) {
    await query
      .updateTable('tasks')
      .set({ poll_at: pollAt })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .where('status', 'not in', endedTaskStatuses)
      // A callback that came while its vendor was asked has made it due already.
      .where('poll_at', '>', clock.now())
      .execute()
  }
}
