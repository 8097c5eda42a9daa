import type { Database } from '../store/database'
import { createApplyCharges, type ApplyCharges } from './apply-charges'
import { journalPath, journalsIn, openJournal, type Journal } from './journal'
import { endOrphans, strikeOff } from './reclaim'

const mostAtOnce = 500

/**
 * Charge what workers that are gone left in their journals, and remove the files. What was charged before is not
 * charged again, so this may be broken off and repeated. A journal that a living process holds is left alone.
 * @throws what the database throws when it does not answer; everything not charged stays in the journals.
 */
export async function replayJournals(
  folder: string,
  database: Database,
  liveWorkerIds: readonly string[],
): Promise<void> {
  const apply = createApplyCharges(database)
  for (const workerId of journalsIn(folder)) {
    if (liveWorkerIds.includes(workerId)) continue
    const journal = openUnowned(journalPath(folder, workerId))
    if (!journal) continue
    try {
      await replay(journal, apply, database)
    } finally {
      journal.close()
    }
  }
}

/** A charge that the database refuses though it answers stays in its file; it must not keep the gateway from starting. */
async function replay(journal: Journal, apply: ApplyCharges, { query }: Database) {
  let after = 0
  let limit = mostAtOnce
  for (;;) {
    const charges = journal.read(after, limit)
    const last = charges.at(-1)
    if (!last) return
    try {
      await apply(charges.map(({ record }) => record))
      journal.remove(charges)
      limit = mostAtOnce
    } catch {
      await query.selectFrom('workers').select('id').limit(1).execute()
      if (charges.length === 1) after = last.seq
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

/** Give back the leases of this node's former workers at once. Their journals must be charged before. */
export async function reclaimNode(
  database: Database,
  nodeId: string,
  exceptWorkerIds: readonly string[],
): Promise<void> {
  const workers = await database.query.selectFrom('workers').select('id').where('node_id', '=', nodeId).execute()
  const dead = workers.map(({ id }) => id).filter((id) => !exceptWorkerIds.includes(id))
  await strikeOff(database, dead)
  await endOrphans(database)
}
