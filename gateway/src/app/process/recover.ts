import {
  deadWorkersOf,
  reclaimLeases,
  replayJournals,
  type JournalTrouble,
  type LiveWorkers,
} from '../../billing/ledger/recovery/recovery'
import { createLogWriter } from '../../platform/telemetry/log/log-writer'
import type { Database } from '../../platform/store/database'
import type { DataFolder } from '../../platform/store/data-folder'

/**
 * Charges what former workers of this node left in their journals, then returns their leases. A lease whose charges are not all in the
 * database stays: another recovery in progress returns it, or other workers do within a minute. Resolves with whether nothing is left.
 */
export async function recoverNode(
  database: Database,
  folder: Pick<DataFolder, 'journalFolder' | 'nodeId'>,
  liveWorkerIds: LiveWorkers,
): Promise<boolean> {
  const dead = await deadWorkersOf(database, folder.nodeId, liveWorkerIds)
  const unsettled = await replayJournals(folder.journalFolder, database, liveWorkerIds, reportTrouble)
  await reclaimLeases(
    database,
    dead.filter((id) => !unsettled.includes(id)),
  )
  return unsettled.length === 0
}

/** Works before there is a logger, too. */
const reportTrouble = (trouble: JournalTrouble) =>
  createLogWriter({ logLevel: 'error' })('error', sentences[trouble.kind](trouble))

const sentences: Record<JournalTrouble['kind'], (trouble: JournalTrouble) => string> = {
  damaged: ({ path }) =>
    `The journal of a former worker is damaged and was set aside: ${path}. The readable charges were made; the rest may be lost. Check the disk.`,
  unreadable: ({ path, count }) =>
    `${count} charges of a former worker are corrupt. They were set aside and not charged: ${path}. All others are charged. Check the disk.`,
  missing: ({ path, count }) =>
    `The journal of a former worker was cut: up to ${count} charges at its end are gone. See ${path}, and look after the disk.`,
  unwritable: ({ path }) =>
    `The journal of a former worker cannot be read or written: ${path}. Its charges stay there and will be retried. Check the disk.`,
}
