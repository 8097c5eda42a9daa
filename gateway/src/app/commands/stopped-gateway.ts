import { workerTtlMs } from '../../billing/ledger/recovery/heartbeat'
import { StartError } from '../../platform/config/start-error'
import { lockFolder, type pathsIn } from '../../platform/store/data-folder'
import type { Database } from '../../platform/store/database'
import { isTooOld, tooOldSentence } from '../../platform/store/earlier-builds'
import { schemaState } from '../../platform/store/migrate'
import { messageOf } from '../../platform/text/message-of'
import { CommandError } from './command'

/** Keeps gateways off the folder meanwhile. @throws CommandError where one runs. */
export async function withFolderLock<T>(
  paths: Pick<ReturnType<typeof pathsIn>, 'path'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    using _lock = lockFolder(paths)
    return await work()
  } catch (error) {
    if (error instanceof StartError) throw new CommandError(`${messageOf(error)}.`, { cause: error })
    throw error
  }
}

/** @throws CommandError where the schema is not that of this release. */
export async function requireSchema(database: Database): Promise<void> {
  const state = await schemaState(database)
  const { isEmpty, missing, unknown } = state
  if (!isEmpty && missing.length + unknown.length === 0) return
  if (isTooOld(state)) throw new CommandError(tooOldSentence)
  throw new CommandError('The database schema is not that of this release. Start the gateway once, then repeat this.')
}

/** @throws CommandError while a worker of any node runs. */
export async function requireStopped({ query }: Database): Promise<void> {
  const alive = await query
    .selectFrom('workers')
    .select('node_id')
    .where('heartbeat_at', '>', Math.floor((Date.now() - workerTtlMs) / 1000))
    .executeTakeFirst()
  if (alive)
    throw new CommandError(`A gateway runs on the database at DATABASE_URL (node ${alive.node_id}). Stop it first.`)
}
