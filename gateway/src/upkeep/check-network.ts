import { createServer } from 'node:net'

import { Redis } from 'ioredis'

import type { Config } from '../config'
import { fail, ok, warn, type Finding } from './finding'
import { reasonOf } from '../reason-of'

/** The gateway can listen where it is told to. */
export async function checkPort({ host, port }: Config, isRunning: boolean): Promise<Finding> {
  const subject = 'port'
  if (port === 0) return ok(subject, `any free one of ${host}`)
  const address = `${host}:${port}`
  const code = await listenCode(host, port)
  if (code === '') return ok(subject, `${address} is free`)
  if (code === 'EADDRINUSE' && isRunning) return ok(subject, `${address} is in use, and a gateway runs`)
  if (code === 'EADDRINUSE') return fail(subject, `${address} is in use by another program`, 'Stop it, or set PORT')
  if (code === 'EADDRNOTAVAIL')
    return fail(subject, `${host} is not an address of this machine`, 'Set HOST, as to 0.0.0.0')
  return fail(subject, `${address} cannot be listened on: ${code}`, 'Set a PORT above 1023, or give the user the right')
}

/** Empty when it can be listened on. */
function listenCode(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('')))
  })
}

const patienceMs = 2000

/** Redis answers, when limits are to be shared through it. */
export async function checkRedis({ redisUrl, workers }: Config): Promise<Finding> {
  const subject = 'redis'
  if (!redisUrl) {
    if (workers === 1) return ok(subject, 'not configured, limits are counted in memory')
    return warn(
      subject,
      `not configured, each of the ${workers} workers counts limits alone`,
      'Set REDIS_URL to share them',
    )
  }
  const client = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
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
    return ok(subject, `${host} answers`)
  } catch (error) {
    const text = `${host} does not answer: ${reasonOf(cause ?? error)}`
    return fail(
      subject,
      text,
      'See whether it runs, and whether REDIS_URL is right; until then each worker counts alone',
    )
  } finally {
    client.disconnect()
  }
}
