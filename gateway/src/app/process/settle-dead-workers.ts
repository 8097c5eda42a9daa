import { sql } from 'kysely'

import { readConfig } from '../../platform/config/config'
import type { LiveWorkers } from '../../billing/ledger/recovery/recovery'
import { openDatabase } from '../../platform/store/open-database'
import type { DataFolder } from '../../platform/store/data-folder'
import { recoverNode } from './recover'
import { systemTimers } from '../../platform/time/timers'

type Environment = Parameters<typeof readConfig>[0]

/** Settles what dead workers left behind. Resolves with whether nothing is left. */
export async function settleDeadWorkers(
  environment: Environment,
  folder: DataFolder,
  liveWorkerIds: LiveWorkers,
): Promise<boolean> {
  const database = await openDatabase(readConfig(environment), folder.sqlitePath)
  try {
    return await recoverNode(database, folder, liveWorkerIds)
  } finally {
    await database.close()
  }
}

/** Between two checks whether the database is back. */
const pauseMs = 500

/** Without it a worker does not start: one after the other would exit, until the gateway gives up and takes down those that serve. */
export async function awaitDatabaseResponse(
  environment: Environment,
  folder: DataFolder,
  isStopping: () => boolean,
): Promise<void> {
  const database = await openDatabase(readConfig(environment), folder.sqlitePath)
  const isResponding = () =>
    sql`select 1`.execute(database.query).then(
      () => true,
      () => false,
    )
  try {
    while (!isStopping() && !(await isResponding())) await systemTimers.wait(pauseMs)
  } finally {
    await database.close()
  }
}
