import type { Config } from '../../platform/config/config'
import { openDatabase } from '../../platform/store/open-database'
import { isTooOld } from '../../platform/store/earlier-builds'
import { incompatible, isOneWay, migrate, schemaState, type SchemaState } from '../../platform/store/migrate'
import type { LogWriter } from '../../platform/telemetry/log/log-writer'
import type { DataFolder } from '../../platform/store/data-folder'
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
export async function prepareNode(config: Config, folder: DataFolder, writeLog: LogWriter): Promise<Preparation> {
  await updateSchema(config, folder, writeLog)
  const database = await openDatabase(config, folder.sqlitePath)
  try {
    const isSettled = await recoverNode(database, folder, () => [])
    return { isSettled, setupCode: await makeSetupCode(database, Date.now()) }
  } finally {
    await database.close()
  }
}

/** Creating an index of a large table may take minutes, and is not given up. */
const schemaTimeoutMs = 3_600_000

async function updateSchema(config: Config, folder: DataFolder, writeLog: LogWriter): Promise<void> {
  const database = await openDatabase(config, folder.sqlitePath, {
    connections: 2,
    statementTimeoutMs: schemaTimeoutMs,
  })
  try {
    announceSteps(await schemaState(database), writeLog)
    await migrate(database)
  } finally {
    await database.close()
  }
}

/** Before the first step is made: an operator may still stop the start. */
function announceSteps(state: SchemaState, writeLog: LogWriter): void {
  const { isEmpty, missing, unknown } = state
  const isRefused = isTooOld(state) || incompatible(unknown).length > 0
  if (isEmpty || missing.length === 0 || isRefused) return
  writeLog('info', `The schema is brought up to date: ${missing.join(', ')}.`)
  if (isOneWay(state))
    writeLog(
      'warn',
      'The release that ran here before cannot start on this database afterwards: keep the backup made before the update.',
    )
}
