import type { Database } from '../store/database'
import { createApplyCharges, type ApplyCharges } from './apply-charges'
import { isDamaged, journalPath, journalsIn, openJournal, readableIn, setAside, type Journal } from './journal'
import { endOrphans, strikeOff } from './reclaim'

const mostAtOnce = 500
/** A charge alone that fails so often while the database answers is refused; a connection that broke is not a refusal. */
const triesAtMost = 5

/** The node's workers at this moment; others may start and end while a recovery runs. */
export type LiveWorkers = () => readonly string[]

/**
 * Charge what workers that are gone left in their journals, and remove the files. What was charged before is not
 * charged again, so this may be broken off and repeated. A journal that a living process holds is left alone; of one that is
 * damaged, what can be read is charged, and it is set aside: the gateway starts without the rest.
 * Answers the workers whose charges are not all in the database: what they leased must not return yet.
 * @throws what the database throws when it does not answer; everything not charged stays in the journals.
 */
export async function replayJournals(
  folder: string,
  database: Database,
  liveWorkerIds: LiveWorkers,
  onDamaged: (path: string) => void = () => {},
): Promise<string[]> {
  const apply = createApplyCharges(database)
  const unsettled: string[] = []
  for (const workerId of journalsIn(folder)) {
    if (liveWorkerIds().includes(workerId)) continue
    const path = journalPath(folder, workerId)
    try {
      if (!(await replayAt(path, apply, database))) unsettled.push(workerId)
    } catch (error) {
      if (!isDamaged(error)) throw error
      await salvage(path, apply, database)
      onDamaged(setAside(path))
    }
  }
  return unsettled
}

/** Answers whether nothing is left: not so when another process has the journal. */
async function replayAt(path: string, apply: ApplyCharges, database: Database): Promise<boolean> {
  const journal = openUnowned(path)
  if (!journal) return false
  try {
    return await replay(journal, apply, database)
  } finally {
    journal.close()
  }
}

/** One by one: whatever is wrong with a charge must not take the others along. */
async function salvage(path: string, apply: ApplyCharges, { query }: Database): Promise<void> {
  for (const record of readableIn(path)) {
    try {
      await apply([record])
    } catch {
      await query.selectFrom('workers').select('id').limit(1).execute()
    }
  }
}

/**
 * A charge that the database refuses though it answers stays in its file; it must not keep the gateway from starting.
 * Answers whether nothing is left.
 */
async function replay(journal: Journal, apply: ApplyCharges, { query }: Database): Promise<boolean> {
  let after = 0
  let limit = mostAtOnce
  let failures = 0
  for (;;) {
    const charges = journal.read(after, limit)
    const last = charges.at(-1)
    if (!last) return journal.depth === 0
    try {
      await apply(charges.map(({ record }) => record))
      journal.remove(charges)
      limit = mostAtOnce
      failures = 0
    } catch (error) {
      if (isDamaged(error)) throw error
      await query.selectFrom('workers').select('id').limit(1).execute()
      failures = charges.length === 1 ? failures + 1 : 0
      if (failures === triesAtMost) {
        after = last.seq
        failures = 0
      }
      limit = Math.max(1, Math.floor(charges.length / 4))
    }
  }
}

/** Null when another process has the journal. */
function openUnowned(path: string): Journal | null {
  try {
    return openJournal(path, 'process')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return null
    throw error
  }
}

/** The node's workers that are gone. Asked before their journals are charged: who dies later is for the next recovery. */
export async function deadWorkersOf(
  { query }: Database,
  nodeId: string,
  liveWorkerIds: LiveWorkers,
): Promise<string[]> {
  const workers = await query.selectFrom('workers').select('id').where('node_id', '=', nodeId).execute()
  // Asked after the list was read: whoever is in it and does not live now will never live again.
  const live = liveWorkerIds()
  return workers.map(({ id }) => id).filter((id) => !live.includes(id))
}

/** Give back the leases of dead workers at once. Their journals must be charged before. */
export async function reclaimLeases(database: Database, deadWorkerIds: readonly string[]): Promise<void> {
  await strikeOff(database, deadWorkerIds)
  await endOrphans(database)
}
