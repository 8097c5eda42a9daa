import { defaultOptions, parseOptions, type systemRoutes } from '@tollgate/contract'

import { ConfigError, readConfig, type Config } from '../config'
import { reasonOf } from '../reason-of'
import { pathsIn } from '../store/data-folder'
import { unknownVariables } from '../unknown-variables'
import { certificateFindings, readCertificates } from './certificates'
import { checkClock, examineDatabase, type Examined } from './check-database'
import { checkDisk, checkJournals, checkWritable, isHeld } from './check-folder'
import { checkMail } from './check-mail'
import { checkPort, checkRedis } from './check-network'
import { checkSecretKey } from './check-secret'
import { fail, ok, warn, type Finding } from './finding'

/** Checks what a gateway with this environment stands on. Nothing is repaired, and the gateway may run. */
export async function examine(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<systemRoutes.Examination> {
  try {
    const unknown = unknownVariables(environment).map((sentence) =>
      warn('configuration', sentence.replace(/\.$/, ''), ''),
    )
    const { findings, certificates } = await examineConfigured(readConfig(environment))
    return { findings: [...unknown, ...findings], certificates }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const findings = error.sentences.map((text) =>
      fail('configuration', text.replace(/\.$/, ''), 'Correct it in the environment'),
    )
    return { findings, certificates: [] }
  }
}

async function examineConfigured(config: Config): Promise<systemRoutes.Examination> {
  const paths = pathsIn(config.dataDir)
  const isRunning = isHeld(paths)
  const examined = await examineDatabase(config, paths)
  const { database } = examined
  try {
    const findings = [
      ok('configuration', 'can be read'),
      ok('gateway', isRunning ? 'runs on this data folder' : 'does not run on this data folder'),
      checkWritable(paths),
      checkDisk(paths),
      ...examined.findings,
      await guarded('clock', () => checkClock(config, database, Date.now)),
      await guarded('secret key', () => checkSecretKey(config, paths, examined)),
      checkJournals(paths, isRunning, Date.now()),
      await guarded('mail', () => checkMail(examined, Date.now)),
      await checkRedis(config),
      await checkPort(config, isRunning),
    ]
    const certificates = await readCertificates(config, await mailOptions(examined))
    return { findings: [...findings, ...certificateFindings(certificates, Date.now())], certificates }
  } finally {
    await database?.close()
  }
}

async function mailOptions({ database, tables }: Examined): Promise<typeof defaultOptions> {
  if (!database || tables !== 'there') return defaultOptions
  const keys = ['SMTPServer', 'SMTPPort', 'SMTPSSLEnabled']
  const rows = await database.query.selectFrom('options').select(['key', 'value']).where('key', 'in', keys).execute()
  return parseOptions(new Map(rows.map(({ key, value }) => [key, value])))
}

/** The database may fail between two checks. */
async function guarded(subject: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return fail(subject, `could not be checked: ${reasonOf(error)}`, 'See the database first')
  }
}
