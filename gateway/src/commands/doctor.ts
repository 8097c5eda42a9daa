import { ConfigError, readConfig, type Config } from '../config'
import { pathsIn } from '../process/data-folder'
import { unknownVariables } from '../unknown-variables'
import { checkClock, examineDatabase } from './check-database'
import { checkDisk, checkJournals, checkWritable, isHeld } from './check-folder'
import { checkMail } from './check-mail'
import { checkPort, checkRedis } from './check-network'
import { checkSecretKey } from './check-secret'
import { UsageError, type Command } from './command'
import { fail, lineOf, ok, warn, type Finding } from './finding'
import { reasonOf } from './read-only'

/** Check what a gateway stands on, and say what to do where something is wrong. */
export const doctor: Command = {
  name: 'doctor',
  parameters: '',
  summary: 'Check the configuration and everything the gateway stands on.',
  details: [
    'Prints a line for each check: ok, warn or FAIL, and what to do. The gateway may run. Nothing is repaired.',
    'Exit code 0: it can run. 1: something fails.',
  ],
  async run(parameters, { environment, print }) {
    const [unknown] = parameters
    if (unknown !== undefined) throw new UsageError(`doctor does not take ${unknown}.`)
    const findings = await examine(environment)
    for (const finding of findings) print(lineOf(finding))
    return findings.some(({ level }) => level === 'FAIL') ? 1 : 0
  },
}

async function examine(environment: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
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
