import { createServer } from 'node:net'

import { Redis } from 'ioredis'

import type { Config } from '../platform/config/config'
import { oldestWaiting, readShipments } from '../billing/usage-log/clickhouse/shipments'
import type { Examined } from './check-database'
import { fail, ok, sentence, warn, type Finding } from './finding'
import { systemClock } from '../platform/time/clock'
import { messageOf } from '../platform/text/message-of'

/** Checks that the gateway can listen as configured. */
export async function checkPort({ host, port }: Config, isRunning: boolean): Promise<Finding> {
  const subject = 'port'
  if (port === 0) return ok(subject, sentence('port.any', { host }))
  const address = `${host}:${port}`
  const code = await listenCode(host, port)
  if (code === '') return ok(subject, sentence('port.free', { address }))
  if (code === 'EADDRINUSE' && isRunning) return ok(subject, sentence('port.ours', { address }))
  if (code === 'EADDRINUSE') return fail(subject, sentence('port.taken', { address }), sentence('port.taken.advice'))
  if (code === 'EADDRNOTAVAIL')
    return fail(subject, sentence('port.elsewhere', { host }), sentence('port.elsewhere.advice'))
  return fail(subject, sentence('port.refused', { address, code }), sentence('port.refused.advice'))
}

/** Resolves with an empty code when it can be listened on. */
function listenCode(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('')))
  })
}

/** Checks that ClickHouse responds, where the log is to be there, and that it is named where rows of the log are there. */
export async function checkClickHouse({ clickHouseUrl }: Config, { database, tables }: Examined): Promise<Finding> {
  const subject = 'clickhouse'
  const shipments = database && tables === 'there' ? await readShipments(database.query) : null
  if (!clickHouseUrl) {
    if (!shipments?.ended) return ok(subject, sentence('clickhouse.unset'))
    return fail(subject, sentence('clickhouse.missing'), sentence('clickhouse.missing.advice'))
  }
  const { isTooOld, minVersion, openClickHouse } = await import('../platform/store/clickhouse/clickhouse')
  const clickHouse = openClickHouse(clickHouseUrl)
  const { host } = clickHouse
  try {
    const version = await clickHouse.version()
    if (isTooOld(version))
      return fail(
        subject,
        sentence('clickhouse.old', { host, version }),
        sentence('clickhouse.old.advice', { minVersion }),
      )
    await clickHouse.createDatabase()
    const waiting = database && tables === 'there' ? await oldestWaiting(database.query) : null
    const minutes = waiting === null ? 0 : Math.floor((systemClock.seconds() - waiting) / 60)
    if (minutes < lateMinutes) return ok(subject, sentence('clickhouse.good', { host }))
    return warn(subject, sentence('clickhouse.late', { host, minutes }), sentence('clickhouse.late.advice'))
  } catch (error) {
    return fail(
      subject,
      sentence('clickhouse.silent', { host, reason: messageOf(error) }),
      sentence('clickhouse.silent.advice'),
    )
  } finally {
    await clickHouse.close()
  }
}

/** Rows leave within seconds. */
const lateMinutes = 10

const timeoutMs = 2000

/** Checks that Redis responds, when limits are to be shared through it. */
export async function checkRedis({ redisUrl, workers }: Config): Promise<Finding> {
  const subject = 'redis'
  if (!redisUrl) {
    if (workers === 1) return ok(subject, sentence('redis.unset'))
    return warn(subject, sentence('redis.apart', { workers }), sentence('redis.apart.advice'))
  }
  const client = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // Why the connection failed; `connect` itself only says that it is closed.
  let cause: unknown
  client.on('error', (error) => (cause = error))
  const { host } = new URL(redisUrl)
  try {
    await client.connect()
    await client.ping()
    return ok(subject, sentence('redis.good', { host }))
  } catch (error) {
    return fail(
      subject,
      sentence('redis.silent', { host, reason: messageOf(cause ?? error) }),
      sentence('redis.silent.advice'),
    )
  } finally {
    client.disconnect()
  }
}
