import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { readConfig } from '../../platform/config/config'
import { StartError } from '../../platform/config/start-error'
import { listen, type Server } from './listen'

// The runtime checks its connections every four seconds.
const keepAliveSeconds = 4
const limitMs = 20_000

let server: Server
beforeAll(() => {
  const config = readConfig({ PORT: '0', STREAM_IDLE_TIMEOUT: '1' })
  server = listen(config, async ({ url }) => (url.endsWith('/late') ? late() : new Response('at once')), {
    keepAliveSeconds,
  })
})
afterAll(() => server.stop(true))

async function late() {
  await Bun.sleep((keepAliveSeconds + 5) * 1000)
  return new Response('at last')
}

/** Sends this, and resolves with everything received until the connection was closed. */
function conversation(sent: string, until?: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(server.port, '127.0.0.1', () => socket.write(sent))
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString()
    if (until && received.endsWith(until)) socket.destroy()
  })
  socket.once('close', () => resolve(received))
  return promise
}

describe('a connection', () => {
  test.concurrent(
    'a connection that is idle after a response is closed',
    async () => {
      expect(await conversation('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toEndWith('at once')
    },
    limitMs,
  )

  test.concurrent(
    'a connection whose request head never ends is closed, though bytes keep arriving',
    async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n'))
      const dripping = setInterval(() => socket.write('X: y\r\n'), 500)
      socket.on('error', () => {})
      socket.once('close', () => resolve())
      await promise
      clearInterval(dripping)
    },
    limitMs,
  )

  test.concurrent(
    'a connection is kept while its response is awaited, however long that takes',
    async () => {
      expect(await conversation('GET /late HTTP/1.1\r\nHost: x\r\n\r\n', 'at last')).toEndWith('at last')
    },
    limitMs,
  )
})

describe('localhost', () => {
  test('localhost is listened on by both address families, on one port', async () => {
    const both = listen(readConfig({ HOST: 'localhost', PORT: '0' }), () => new Response('here'))
    try {
      for (const host of ['127.0.0.1', '[::1]'])
        expect(await (await fetch(`http://${host}:${both.port}/`)).text()).toBe('here')
    } finally {
      await both.stop(true)
    }
  })
})

describe('an unusable address is reported in one sentence:', () => {
  const sentenceOf = (environment: Record<string, string>) => {
    try {
      listen(readConfig(environment), () => new Response(''))
    } catch (error) {
      return error instanceof StartError ? error.message : error
    }
    return 'it listens'
  }

  test.each(['127.0.0.1', 'localhost'])('a port of %s that is taken', (HOST) => {
    expect(sentenceOf({ HOST, PORT: String(server.port) })).toBe(
      `Tollgate cannot listen on 127.0.0.1:${server.port}: another program does. Stop it, or set PORT.`,
    )
  })

  test('an address of another machine', () => {
    expect(sentenceOf({ HOST: '192.0.2.1', PORT: '0' })).toContain('this machine does not have the address. Set HOST')
  })
})
