import type { Config } from '../config'
import { openDatabase } from '../store/database'
import { migrate } from '../store/migrate'
import type { DataFolder } from './data-folder'
import { recoverNode } from './recover'
import { makeSetupCode } from './setup-notice'

/** The database up to date and settled, before any worker runs. Answers the set-up code where a first visitor could be a stranger. */
export async function prepareNode(config: Config, folder: DataFolder): Promise<string> {
  await updateSchema(config, folder)
  const database = await openDatabase(config, folder.sqlitePath)
  try {
    await recoverNode(database, folder, () => [])
    return await makeSetupCode(config, database)
  } finally {
    await database.close()
  }
}

/** An index of a large table may take minutes to make, and is not given up. */
const schemaTimeoutMs = 3_600_000

async function updateSchema(config: Config, folder: DataFolder): Promise<void> {
  const database = await openDatabase(config, folder.sqlitePath, { connections: 2, answerTimeoutMs: schemaTimeoutMs })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}
