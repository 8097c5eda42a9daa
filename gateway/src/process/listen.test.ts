import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { readConfig } from '../config'
import { listen, type Server } from './listen'

// The runtime looks at its connections every four seconds.
const keptSeconds = 4
const limitMs = 20_000

let server: Server
beforeAll(() => {
  const config = readConfig({ PORT: '0', STREAM_IDLE_TIMEOUT: '1' })
  server = listen(config, async ({ url }) => (url.endsWith('/late') ? late() : new Response('at once')), keptSeconds)
})
afterAll(() => server.stop(true))

async function late() {
  await Bun.sleep((keptSeconds + 5) * 1000)
  return new Response('at last')
}

/** Send this, and say all that came until the connection was closed. */
function conversation(sent: string, until?: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(server.port ?? 0, '127.0.0.1', () => socket.write(sent))
  let told = ''
  socket.on('data', (bytes) => {
    told += bytes.toString()
    if (until && told.endsWith(until)) socket.destroy()
  })
  socket.once('close', () => resolve(told))
  return promise
}

describe('a connection', () => {
  test.concurrent(
    'that is not used after an answer is closed',
    async () => {
      expect(await conversation('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toEndWith('at once')
    },
    limitMs,
  )

  test.concurrent(
    'whose request has no end to its head is closed, though it goes on',
    async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const socket = connect(server.port ?? 0, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n'))
      const dripping = setInterval(() => socket.write('X: y\r\n'), 500)
      socket.on('error', () => {})
      socket.once('close', () => resolve())
      await promise
      clearInterval(dripping)
    },
    limitMs,
  )

  test.concurrent(
    'is kept while its answer is waited for, however long that takes',
    async () => {
      expect(await conversation('GET /late HTTP/1.1\r\nHost: x\r\n\r\n', 'at last')).toEndWith('at last')
    },
    limitMs,
  )
})
