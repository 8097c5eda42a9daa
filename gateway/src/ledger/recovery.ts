import type { Database } from '../store/database'
import { endOrphans, strikeOff } from './reclaim'

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
