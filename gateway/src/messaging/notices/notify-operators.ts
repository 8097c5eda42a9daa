import { operatorEventKinds, type OperatorEventKind } from '@tollgate/contract'

import type { Context } from '../../context'
import { EventFacts } from '../../platform/telemetry/events/report-event'
import { parsedJson } from '../../platform/text/parsed-json'
import { deliverEvent } from './deliver-event'

export type NotifyDeps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'random'>

/** So many events of a kind are reported one by one within the window; further ones together, at its end. */
const maxSingles = 5
const windowSeconds = 600
const rowsAtOnce = 500
/** Names that a notification of many lists. */
const maxNames = 10

/** Notifies operators of the events that are due, until none is. Several callers never report the same one: each is claimed first. */
export async function notifyOperators(parts: NotifyDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const groups = await dueGroups(parts)
    if (groups.length === 0) return
    for (const group of groups) await notifyOf(parts, group)
    await parts.changes.deliver()
  }
}

const dueEvents = (parts: NotifyDeps) =>
  parts.database.query
    .selectFrom('operator_events')
    .selectAll()
    .where('due_at', 'is not', null)
    .where('due_at', '<=', parts.clock.seconds())
    // A later release may report others.
    .where('kind', 'in', operatorEventKinds)
    .orderBy('due_at')
    .orderBy('subject')
    .limit(rowsAtOnce)
    .execute()

type EventRow = Awaited<ReturnType<typeof dueEvents>>[number]

/** Events of one kind that are reported together. */
type Group = readonly [EventRow, ...EventRow[]]

async function dueGroups(parts: NotifyDeps): Promise<Group[]> {
  const byKind = Map.groupBy(await dueEvents(parts), ({ kind }) => kind)
  const groups: Group[] = []
  for (const [kind, rows] of byKind) {
    const [oldest, ...others] = rows
    // They were held back.
    if (oldest && (oldest.due_at ?? 0) <= parts.clock.seconds() - windowSeconds) groups.push([oldest, ...others])
    else groups.push(...rows.slice(0, await room(parts, kind)).map((row): Group => [row]))
  }
  return groups
}

/** Resolves with how many more events of a kind may be reported alone now. */
async function room(parts: NotifyDeps, kind: string): Promise<number> {
  return Math.max(0, maxSingles - (await notifiedLately(parts, kind)))
}

async function notifiedLately(parts: NotifyDeps, kind: string): Promise<number> {
  const { count } = await parts.database.query
    .selectFrom('operator_events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .where('notified_at', '>', parts.clock.seconds() - windowSeconds)
    .executeTakeFirstOrThrow()
  return count
}

/** Marks the events and queues their notification in one transaction. */
const notifyOf = (parts: NotifyDeps, group: Group): Promise<void> =>
  parts.database.query.transaction().execute(async (transaction) => {
    const claimed: EventRow[] = []
    for (const row of group) {
      const { numUpdatedRows } = await transaction
        .updateTable('operator_events')
        .set({ due_at: null, notified_at: parts.clock.seconds(), count: 0 })
        .where('kind', '=', row.kind)
        .where('subject', '=', row.subject)
        .where('due_at', '=', row.due_at)
        // Otherwise it happened again since, and the next look reports both.
        .where('count', '=', row.count)
        .executeTakeFirst()
      if (numUpdatedRows === 1n) claimed.push(row)
    }
    const [first, ...others] = claimed.toSorted((one, other) => other.last_at - one.last_at)
    if (first) await deliverEvent(parts, noticeOf(first, others), transaction)
  })

const factsOf = ({ facts, subject }: EventRow): EventFacts =>
  EventFacts.safeParse(parsedJson(facts)).data ?? { name: subject }

const noticeOf = (event: EventRow, others: readonly EventRow[]) => ({
  event: event.kind as OperatorEventKind,
  facts: factsOf(event),
  at: event.last_at,
  since: event.first_at,
  count: event.count,
  others: { names: others.slice(0, maxNames).map((row) => factsOf(row).name), count: others.length },
})
