import { deadWorkersOf, reclaimLeases, replayJournals, type LiveWorkers } from '../ledger/recovery'
import { createSay } from '../log/say'
import type { Database } from '../store/database'
import type { DataFolder } from './data-folder'

/**
 * Charge what former workers of this node left in their journals, then give their leases back. A lease whose charges
 * are not all in the database stays: another recovery that is under way returns it, or other workers do in a minute.
 * Answers whether nothing is left.
 */
export async function recoverNode(
  database: Database,
  folder: Pick<DataFolder, 'journalFolder' | 'nodeId'>,
  liveWorkerIds: LiveWorkers,
): Promise<boolean> {
  const dead = await deadWorkersOf(database, folder.nodeId, liveWorkerIds)
  const unsettled = await replayJournals(folder.journalFolder, database, liveWorkerIds, tellDamaged)
  await reclaimLeases(
    database,
    dead.filter((id) => !unsettled.includes(id)),
  )
  return unsettled.length === 0
}

/** Also before there is a logger. */
const tellDamaged = (path: string) =>
  createSay({ logLevel: 'error' })(
    'error',
    `The journal of a former worker is damaged and was set aside: ${path}. What could be read of it is charged; the rest may be lost. Look after the disk.`,
  )
