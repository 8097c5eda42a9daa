import { daySeconds, hourMs, hourSeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Context } from '../../context'
import { sumHeldPeriods } from '../../billing/ledger/window/held-windows'
import { periodsAfter, placeBefore, type PeriodPlace } from '../../billing/ledger/window/period-places'
import type { Database } from '../../platform/store/database'
import type { Pace } from '../../platform/store/pace'
import { paceOf, type Job } from './job'

/** A day has 22 hours at least, wherever clocks change. */
const minDaySeconds = 22 * hourSeconds
/** How long shorter periods are kept. Of those of seconds a busy key begins thousands a day. */
const tiers = [
  { shorterThan: hourSeconds, retentionSeconds: hourSeconds },
  { shorterThan: minDaySeconds, retentionSeconds: 2 * daySeconds },
]
/** Older short periods, which were in a lease or a hold all this time, go with the long ones. */
const lookedBackSeconds = 14 * daySeconds
const retentionSeconds = 400 * daySeconds

type Deps = Pick<Context, 'clock' | 'database' | 'metrics' | 'timers'>

/**
 * Removes windows of deleted keys and users, periods that ended long ago, and those of windows that were gone at the last run: no worker
 * draws on them any more. What is leased or held stays until it is given back. Everything is read in the order of an index, a part at a time; a run
 * begins with short periods where the last one ended.
 */
export function pruneWindows(deps: Deps, makePace = paceOf): Job {
  let goneBefore: ReadonlySet<number> = new Set()
  const done = tiers.map(() => placeBefore(0))
  return {
    name: 'prune-windows',
    everyMs: hourMs,
    async run(signal) {
      const run: Run = { database: deps.database, pace: makePace(deps, signal), signal, held: new Set() }
      await removeWindowsOfDeleted(run)
      const gone = new Set(await windowsGone(run))
      const wasGone = [...gone].filter((id) => goneBefore.has(id))
      if (!signal.aborted) goneBefore = gone
      const now = deps.clock.seconds()
      const removing = { ...run, held: new Set((await sumHeldPeriods(deps.database.longRunning)).keys()) }
      for (const id of wasGone) await removePeriodsOf(removing, id)
      for (const [index, { shorterThan, retentionSeconds: retention }] of tiers.entries()) {
        const from = later(done[index], placeBefore(now - lookedBackSeconds))
        done[index] = await removeEnded(removing, from, now - retention, shorterThan)
      }
      await removeEnded(removing, placeBefore(0), now - retentionSeconds)
    },
  }
}

interface Run {
  readonly database: Database
  readonly pace: Pace
  readonly signal: AbortSignal
  /** Periods of which durable holds have something. */
  readonly held: ReadonlySet<number>
}

async function removeWindowsOfDeleted({ database: { longRunning }, pace, signal }: Run): Promise<void> {
  for (const [owner, table] of [
    ['token', 'tokens'],
    ['user', 'users'],
  ] as const)
    for (let after: string | undefined = ''; after !== undefined && !signal.aborted;) {
      const from: string = after
      after = await pace.part(async () => {
        const { rows } = pace
        const found = await longRunning
          .selectFrom((eb) =>
            eb
              .selectFrom('windows')
              .select('ref')
              .distinct()
              .where('owner', '=', owner)
              .where('ref', '>', from)
              .orderBy('ref')
              .limit(rows)
              .as('refs'),
          )
          .select('ref')
          .select(
            sql<number | boolean>`exists (select 1 from ${sql.table(table)}
              where id = cast(refs.ref as bigint) and deleted_at is null)`.as('exists'),
          )
          .orderBy('ref')
          .execute()
        const gone = found.filter(({ exists }) => !exists).map(({ ref }) => ref)
        if (gone.length > 0)
          await longRunning.deleteFrom('windows').where('owner', '=', owner).where('ref', 'in', gone).execute()
        return found.length < rows ? undefined : found.at(-1)?.ref
      })
    }
}

/** Resolves with the ids of windows that are gone and have periods. */
async function windowsGone({ database: { longRunning }, pace, signal }: Run): Promise<number[]> {
  const gone: number[] = []
  for (let after: number | undefined = 0; after !== undefined && !signal.aborted;) {
    const from: number = after
    after = await pace.part(async () => {
      const { rows } = pace
      // From one window to the next in the index, however many periods each has.
      const { rows: found } = await sql<{ id: number; exists: number | boolean }>`
        with recursive ids (id, place) as (
          select min(window_id), 1 from window_periods where window_id > ${from}
          union all
          select (select min(window_id) from window_periods where window_id > ids.id), place + 1
          from ids where ids.id is not null and place < ${rows}
        )
        select id, exists (select 1 from windows where windows.id = ids.id) as "exists"
        from ids where id is not null order by id`.execute(longRunning)
      gone.push(...found.filter(({ exists }) => !exists).map(({ id }) => id))
      return found.length < rows ? undefined : found.at(-1)?.id
    })
  }
  return gone
}

/** Removes the periods of a window that is gone. */
async function removePeriodsOf(run: Run, windowId: number): Promise<void> {
  const { database, pace, signal } = run
  for (let after: SubjectPlace | undefined = { subject: 0, startsAt: -1 }; after && !signal.aborted;) {
    const { subject, startsAt }: SubjectPlace = after
    after = await pace.part(async () => {
      const { rows } = pace
      const found = await database.longRunning
        .selectFrom('window_periods')
        .select(['id', 'subject_id as subject', 'starts_at as startsAt'])
        .where('window_id', '=', windowId)
        .where(sql<boolean>`(subject_id, starts_at) > (${subject}, ${startsAt})`)
        .orderBy('subject_id')
        .orderBy('starts_at')
        .limit(rows)
        .execute()
      await removePeriods(
        run,
        found.map(({ id }) => id),
      )
      return found.length < rows ? undefined : found.at(-1)
    })
  }
}

/** A place among the periods of a window. */
interface SubjectPlace {
  readonly subject: number
  readonly startsAt: number
}

const later = (one: PeriodPlace | undefined, other: PeriodPlace): PeriodPlace =>
  one && one.endsAt >= other.endsAt ? one : other

/** Removes periods after a place that ended before a time. Resolves with how far it came. */
async function removeEnded(run: Run, from: PeriodPlace, until: number, shorterThan = Infinity): Promise<PeriodPlace> {
  const { database, pace, signal } = run
  let place = from
  for (let isDone = false; !isDone && !signal.aborted;)
    isDone = await pace.part(async () => {
      const { rows } = pace
      const found = await periodsAfter(database.longRunning, place, rows, until)
      await removePeriods(
        run,
        found.map(({ id }) => id),
        shorterThan,
      )
      place = found.at(-1) ?? place
      return found.length < rows
    })
  return place
}

/** Removes periods but for those of which something is leased or held. */
async function removePeriods({ database, held }: Run, ids: readonly number[], shorterThan = Infinity): Promise<void> {
  const free = ids.filter((id) => !held.has(id))
  if (free.length === 0) return
  await database.longRunning
    .deleteFrom('window_periods')
    .where('id', 'in', free)
    .$if(shorterThan !== Infinity, (periods) =>
      periods.where((eb) => eb(eb('ends_at', '-', eb.ref('starts_at')), '<', shorterThan)),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('leases')
            .select('leases.id')
            .where('kind', '=', 'window')
            .whereRef('ref_id', '=', 'window_periods.id'),
        ),
      ),
    )
    .execute()
}
