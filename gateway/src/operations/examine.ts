import { defaultOptions, parseOptions, type systemRoutes } from '@tollgate/contract'

import { ConfigError, readConfig, type Config } from '../platform/config/config'
import type { Language } from '../http/language'
import { messageOf } from '../platform/text/message-of'
import { pathsIn } from '../platform/store/data-folder'
import { unknownVariables } from '../platform/config/unknown-variables'
import { systemClock } from '../platform/time/clock'
import { certificateFindings, readCertificates } from './certificates'
import { checkBooks } from './check-records'
import { checkBatches, checkConversations } from './check-kept'
import { checkClock, examineDatabase, type Examined } from './check-database'
import { checkDisk, checkJournals, checkWritable, isHeld } from './check-folder'
import { checkJobs } from './check-records'
import { checkEvents } from './check-records'
import { checkMail } from './check-records'
import { checkProxy } from './check-records'
import { checkClickHouse, checkPort, checkRedis } from './check-network'
import { checkSecretKey } from './check-secret'
import { fail, ok, sentence, warn, formatFinding, type Finding } from './finding'

type Environment = Readonly<Record<string, string | undefined>>

interface Found {
  readonly findings: readonly Finding[]
  readonly certificates: systemRoutes.Certificate[]
}

/** Checks what a gateway with this environment depends on. Nothing is repaired, and the gateway may run. */
export async function examine(environment: Environment, language: Language): Promise<systemRoutes.Examination> {
  const { findings, certificates } = await find(environment)
  return { findings: findings.map((finding) => formatFinding(finding, language)), certificates }
}

async function find(environment: Environment): Promise<Found> {
  try {
    const unknown = unknownVariables(environment).map(({ name, meant }) =>
      warn(
        'configuration',
        meant === null
          ? sentence('configuration.unknown', { name })
          : sentence('configuration.misspelled', { name, meant }),
      ),
    )
    const { findings, certificates } = await findConfigured(readConfig(environment))
    return { findings: [...unknown, ...findings], certificates }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const findings = error.sentences.map((reason) =>
      fail(
        'configuration',
        sentence('reason', { reason: reason.replace(/\.$/, '') }),
        sentence('configuration.wrong.advice'),
      ),
    )
    return { findings, certificates: [] }
  }
}

async function findConfigured(config: Config): Promise<Found> {
  const paths = pathsIn(config.dataDir)
  const isRunning = isHeld(paths)
  const examined = await examineDatabase(config, paths)
  const { database } = examined
  try {
    const findings = [
      ok('configuration', sentence('configuration.readable')),
      ok('gateway', sentence(isRunning ? 'gateway.running' : 'gateway.stopped')),
      checkWritable(paths),
      checkDisk(paths),
      ...examined.findings,
      await runCheck('clock', () => checkClock(config, database, Date.now)),
      await runCheck('secret-key', () => checkSecretKey(config, paths, examined)),
      checkJournals(paths, isRunning, Date.now()),
      await runCheck('jobs', () => checkJobs(examined)),
      await runCheck('books', () => checkBooks(examined, Date.now)),
      await runCheck('batches', () => checkBatches(examined, systemClock)),
      await runCheck('conversations', () => checkConversations(examined)),
      await runCheck('mail', () => checkMail(examined, systemClock)),
      await runCheck('events', () => checkEvents(examined, systemClock)),
      await runCheck('proxy', () => checkProxy(config, examined, systemClock)),
      await runCheck('clickhouse', () => checkClickHouse(config, examined)),
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
async function runCheck(subject: Finding['subject'], check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return fail(subject, sentence('unchecked', { reason: messageOf(error) }), sentence('unchecked.advice'))
  }
}
