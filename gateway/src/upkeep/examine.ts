import { ConfigError, readConfig, type Config } from '../config'
import { reasonOf } from '../reason-of'
import { pathsIn } from '../store/data-folder'
import { unknownVariables } from '../unknown-variables'
import { checkClock, examineDatabase } from './check-database'
import { checkDisk, checkJournals, checkWritable, isHeld } from './check-folder'
import { checkMail } from './check-mail'
import { checkPort, checkRedis } from './check-network'
import { checkSecretKey } from './check-secret'
import { fail, ok, warn, type Finding } from './finding'

/** Checks what a gateway with this environment stands on. Nothing is repaired, and the gateway may run. */
export async function examine(environment: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  try {
    const unknown = unknownVariables(environment).map((sentence) =>
      warn('configuration', sentence.replace(/\.$/, ''), ''),
    )
    return [...unknown, ...(await examineConfigured(readConfig(environment)))]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.sentences.map((text) =>
      fail('configuration', text.replace(/\.$/, ''), 'Correct it in the environment'),
    )
  }
}

async function examineConfigured(config: Config): Promise<Finding[]> {
  const paths = pathsIn(config.dataDir)
  const isRunning = isHeld(paths)
  const examined = await examineDatabase(config, paths)
  const { findings, database } = examined
  try {
    return [
      ok('configuration', 'can be read'),
      ok('gateway', isRunning ? 'runs on this data folder' : 'does not run on this data folder'),
      checkWritable(paths),
      checkDisk(paths),
      ...findings,
      await guarded('clock', () => checkClock(config, database, Date.now)),
      await guarded('secret key', () => checkSecretKey(config, paths, examined)),
      checkJournals(paths, isRunning, Date.now()),
      await guarded('mail', () => checkMail(examined, Date.now)),
      await checkRedis(config),
      await checkPort(config, isRunning),
    ]
  } finally {
    await database?.close()
  }
}

/** The database may fail between two checks. */
async function guarded(subject: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return fail(subject, `could not be checked: ${reasonOf(error)}`, 'See the database first')
  }
}
