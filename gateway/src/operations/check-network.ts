import { createServer } from 'node:net'

import { Redis } from 'ioredis'

import type { Config } from '../platform/config/config'
import { fail, ok, sentence, warn, type Finding } from './finding'
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
