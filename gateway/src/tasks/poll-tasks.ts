import type { TaskProtocol } from '@tollgate/providers'

import type { Context } from '../context'
import { DatabaseUnavailableError } from '../platform/store/database-errors'
import type { TaskRow } from '../platform/store/tables'
import { applyReport, type Applied } from './apply-report'
import { queryVendor } from './query-vendor'
import { claimTasks, type Claim } from './claim-tasks'
import { failTask, type EndDeps } from './end-task'
import type { TaskAccount } from './vendor-call'

type Deps = EndDeps & Pick<Context, 'config' | 'fetch' | 'log' | 'outbound' | 'seal' | 'timers'>

/** Read at once. */
const rowsAtOnce = 1000
/** Polls in flight, of a pass and per channel: a slow vendor must not delay the others. */
const callsAtOnce = 32
const callsPerChannel = 4

/**
 * Polls vendors for all tasks that are due, until none is. Each task is claimed first, so that pollers never ask about the same one. Passes
 * that run at the same time share `busy`, the channels that they poll: tasks of a channel that an earlier pass is not done with wait for
 * their next poll.
 */
export async function pollTasks(deps: Deps, signal: AbortSignal, busy = new Set<number>()): Promise<void> {
  while (!signal.aborted) {
    const { claims, hasMore } = await claimTasks(deps, rowsAtOnce)
    const groups = groupsOf(claims).filter((group) => !busy.has(channelOf(group)))
    await pollAll(deps, groups, signal, busy)
    if (!hasMore) return
  }
}

/** Tasks that one question is about, or that cannot be asked about. */
interface Group {
  readonly rows: readonly TaskRow[]
  /** Null: no vendor knows them, or their channel is gone. */
  readonly account: TaskAccount | null
  readonly protocol: TaskProtocol | null
}

function groupsOf(claims: readonly Claim[]): Group[] {
  const protocols = new Map<TaskProtocol, Map<string, { account: TaskAccount; rows: TaskRow[] }>>()
  const lost: Group[] = []
  for (const { row, vendor } of claims) {
    if (!vendor) {
      lost.push({ rows: [row], account: null, protocol: null })
      continue
    }
    const { account, protocol } = vendor
    const byAccount = protocols.get(protocol) ?? new Map<string, { account: TaskAccount; rows: TaskRow[] }>()
    protocols.set(protocol, byAccount)
    // Where every task is asked about by itself its model may be a part of the question.
    const name = `${account.channel.id}\n${account.key.fingerprint}\n${protocol.batch === 1 ? row.id : ''}`
    const known = byAccount.get(name)
    if (known) known.rows.push(row)
    else byAccount.set(name, { account, rows: [row] })
  }
  const polled = [...protocols].flatMap(([protocol, byAccount]) =>
    [...byAccount.values()].flatMap(({ account, rows: all }) =>
      inBatches(all, protocol.batch).map((some): Group => ({ account, protocol, rows: some })),
    ),
  )
  return [...lost, ...polled]
}

const inBatches = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

const channelOf = ({ account }: Group): number => account?.channel.id ?? 0

async function pollAll(deps: Deps, groups: readonly Group[], signal: AbortSignal, busy: Set<number>): Promise<void> {
  const waiting = [...groups]
  const callsInFlight = new Map(groups.map((group) => [channelOf(group), 0]))
  for (const id of callsInFlight.keys()) busy.add(id)
  const take = (): Group | undefined => {
    const at = waiting.findIndex((group) => (callsInFlight.get(channelOf(group)) ?? 0) < callsPerChannel)
    return at < 0 ? undefined : waiting.splice(at, 1)[0]
  }
  const release = (id: number) => {
    callsInFlight.delete(id)
    busy.delete(id)
  }
  const work = async (): Promise<void> => {
    for (let group = take(); group && !signal.aborted; group = take()) {
      const id = channelOf(group)
      callsInFlight.set(id, (callsInFlight.get(id) ?? 0) + 1)
      try {
        await pollGroup(deps, group)
      } finally {
        const calls = (callsInFlight.get(id) ?? 1) - 1
        callsInFlight.set(id, calls)
        if (calls === 0 && !waiting.some((other) => channelOf(other) === id)) release(id)
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: callsAtOnce }, work))
  } finally {
    for (const id of callsInFlight.keys()) release(id)
  }
}

async function pollGroup(deps: Deps, { rows, account, protocol }: Group): Promise<void> {
  if (!account || !protocol) {
    // A submission that has no vendor by now has failed: its worker died.
    for (const row of rows)
      await failTask(deps, row, { code: row.vendor_id === '' ? 'task.interrupted' : 'task.channel_gone' })
    return
  }
  const reports = await queryVendor(
    deps,
    { account, protocol },
    rows.map((row) => row.vendor_id),
  )
  for (const row of rows) {
    const report = reports && (reports.get(row.vendor_id) ?? ({ status: 'unknown', progress: null } as const))
    const effect = report ? await applySafely(deps, row, report, account) : 'same'
    if (effect !== 'ended' && row.deadline_at <= deps.clock.now()) await failTask(deps, row, { code: 'task.timeout' })
  }
}

/** A report that cannot be applied stops neither the other tasks nor the deadline of its own. @throws DatabaseUnavailableError. */
async function applySafely(
  deps: Deps,
  row: TaskRow,
  report: Parameters<typeof applyReport>[2],
  { key }: TaskAccount,
): Promise<Applied> {
  try {
    return await applyReport(deps, row, report, [key.value])
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error
    deps.log.error({ error, task: row.public_id }, 'a report of a vendor could not be applied')
    return 'same'
  }
}
