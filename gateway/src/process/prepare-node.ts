import type { Config } from '../config'
import { openDatabase } from '../store/open-database'
import { migrate } from '../store/migrate'
import type { DataFolder } from '../store/data-folder'
import { recoverNode } from './recover'
import { makeSetupCode } from './setup-notice'

/** What the start found. */
export interface Preparation {
  /** Empty when the gateway is set up. */
  readonly setupCode: string
  /** False: charges are left that the database refused, or in a journal that another process holds. */
  readonly isSettled: boolean
}

/** Upgrades and settles the database before any worker runs. */
export async function prepareNode(config: Config, folder: DataFolder): Promise<Preparation> {
  await updateSchema(config, folder)
  const database = await openDatabase(config, folder.sqlitePath)
  try {
    const isSettled = await recoverNode(database, folder, () => [])
    return { isSettled, setupCode: await makeSetupCode(database) }
  } finally {
    await database.close()
  }
}

/** Creating an index of a large table may take minutes, and is not given up. */
const schemaTimeoutMs = 3_600_000

async function updateSchema(config: Config, folder: DataFolder): Promise<void> {
  const database = await openDatabase(config, folder.sqlitePath, { connections: 2, answerTimeoutMs: schemaTimeoutMs })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}
