import type { Database } from '../../../platform/store/database'
import { createApplyCharges, type ApplyCharges } from '../charge/apply-charges'
import { JournalUnwritable, openJournal, type Journal, type OnSetAside } from '../journal/journal'
import { moveEarlierJournals } from '../journal/earlier-journals'
import { journalPath, journalsIn } from '../journal/journal-files'
import { isBusy } from '../../../platform/store/file-lock'
import { reclaimOrphanedLeases, deregisterWorkers } from './reclaim'

const maxAtOnce = 500
/** A charge alone that fails so often while the database answers is refused; a connection that broke is not a refusal. */
const maxTries = 5

/** The node's workers at this moment; others may start and end while a recovery runs. */
export type LiveWorkers = () => readonly string[]

/** What is wrong with a journal: one of an earlier release is broken, records are unreadable or missing, or it cannot be read or written. */
export interface JournalTrouble {
  readonly kind: 'damaged' | 'unreadable' | 'missing' | 'unwritable'
  /** The journal, or where it was set aside. */
  readonly path: string
  /** Charges, where that is known. */
  readonly count?: number
}

/**
 * Charges what dead workers left in their journals, and removes the files. What was charged before is not
 * charged again, so this may be interrupted and repeated. A journal that a living process holds is left alone. What cannot be read is set
 * aside: the gateway starts without it.
 * Returns the workers whose charges are not all in the database: their leases must not return yet.
 * @throws what the database throws when it does not answer; everything not charged stays in the journals.
 */
export async function replayJournals(
  folder: string,
  database: Database,
  liveWorkerIds: LiveWorkers,
  notify: (trouble: JournalTrouble) => void = () => {},
): Promise<string[]> {
  const apply = createApplyCharges(database)
  const onSetAside: OnSetAside = (kind, count, path) => notify({ kind, count, path })
  const unsettled = moveEarlierJournals(folder, {
    onSetAside,
    onDamaged: (path) => notify({ kind: 'damaged', path }),
    onUnwritable: (path) => notify({ kind: 'unwritable', path }),
  })
  for (const workerId of journalsIn(folder)) {
    if (liveWorkerIds().includes(workerId)) continue
    const path = journalPath(folder, workerId)
    try {
      if (!(await replayAt(path, { apply, database, onSetAside }))) unsettled.push(workerId)
    } catch (error) {
      if (!(error instanceof JournalUnwritable)) throw error
      unsettled.push(workerId)
      notify({ kind: 'unwritable', path })
    }
  }
  return unsettled
}

interface Replay {
  readonly apply: ApplyCharges
  readonly database: Database
  readonly onSetAside: OnSetAside
}

/** Returns whether nothing is left; false when another process has the journal. */
async function replayAt(path: string, { apply, database, onSetAside }: Replay): Promise<boolean> {
  const journal = onDisk(() => openUnowned(path, onSetAside))
  if (!journal) return false
  try {
    return await replay(journal, apply, database)
  } finally {
    journal.close()
  }
}

/**
 * A charge that the database refuses though it answers stays in its file; it must not keep the gateway from starting.
 * Returns whether nothing is left.
 */
async function replay(journal: Journal, apply: ApplyCharges, { query }: Database): Promise<boolean> {
  let after = 0
  let limit = maxAtOnce
  let failures = 0
  for (;;) {
    const charges = onDisk(() => journal.read(after, limit))
    const last = charges.at(-1)
    if (!last) return journal.depth === 0
    try {
      await apply(charges.map(({ record }) => record))
      onDisk(() => journal.remove(charges))
      limit = maxAtOnce
      failures = 0
    } catch (error) {
      if (error instanceof JournalUnwritable) throw error
      await query.selectFrom('workers').select('id').limit(1).execute()
      failures = charges.length === 1 ? failures + 1 : 0
      if (failures === maxTries) {
        after = last.seq
        failures = 0
      }
      limit = Math.max(1, Math.floor(charges.length / 4))
    }
  }
}

/** A failing disk must not keep the gateway from starting: the charges wait, as they would for the database. */
function onDisk<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof JournalUnwritable) throw cause
    throw new JournalUnwritable(String(cause), { cause })
  }
}

/** Null when another process has the journal. */
function openUnowned(path: string, onSetAside: OnSetAside): Journal | null {
  try {
    return openJournal(path, 'process', onSetAside)
  } catch (error) {
    if (isBusy(error)) return null
    throw error
  }
}

/** Returns the node's dead workers. Call it before their journals are charged: one that dies later is left to the next recovery. */
export async function deadWorkersOf(
  { query }: Database,
  nodeId: string,
  liveWorkerIds: LiveWorkers,
): Promise<string[]> {
  const workers = await query.selectFrom('workers').select('id').where('node_id', '=', nodeId).execute()
  // Read after the list: a worker in it that is not alive now is dead for good.
  const live = liveWorkerIds()
  return workers.map(({ id }) => id).filter((id) => !live.includes(id))
}

/** Returns the leases of dead workers at once. Their journals must be charged before. */
export async function reclaimLeases(database: Database, deadWorkerIds: readonly string[]): Promise<void> {
  await deregisterWorkers(database, deadWorkerIds)
  await reclaimOrphanedLeases(database)
}
