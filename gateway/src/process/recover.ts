import { reclaimNode, replayJournals } from '../ledger/recovery'
import type { Database } from '../store/database'
import type { DataFolder } from './data-folder'

/** Charge what former workers of this node left in their journals, then give their leases back. */
export async function recoverNode(
  database: Database,
  folder: DataFolder,
  liveWorkerIds: readonly string[],
): Promise<void> {
  await replayJournals(folder.journalFolder, database, liveWorkerIds)
  await reclaimNode(database, folder.nodeId, liveWorkerIds)
}
