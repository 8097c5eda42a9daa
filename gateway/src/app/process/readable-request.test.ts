import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { readConfig } from '../../platform/config/config'
import { listen } from './listen'

const failures: unknown[] = []
const server = listen(
  readConfig({ PORT: '0' }),
  async (request) => {
    const { pathname, hostname } = new URL(request.url)
    if (pathname === '/broken') throw new Error('a secret of the source')
    return new Response(`${hostname} ${pathname}`)
  },
  { onFailure: (error) => void failures.push(error) },
)
afterAll(() => server.stop(true))

/** Sends the head of a request, and resolves with the response to it. */
function sendHead(head: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = ''
  const socket = connect(server.port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`))
  socket.on('data', (bytes) => {
    received += bytes.toString()
    socket.end()
  })
  socket.once('close', () => resolve(received))
  return promise
}

test.each(['999.999.999.999', '%', '[::1', 'foo:99999', 'a b'])('a request to the host %s is refused', async (host) => {
  const response = await sendHead(`GET /api/status HTTP/1.1\r\nHost: ${host}`)
  expect(response).toStartWith('HTTP/1.1 400 ')
  expect(response).toContain('"code":"request.host"')
})

test('a request with two Host headers is refused, whatever they name', async () => {
  for (const second of ['gateway.example', 'other.example']) {
    const response = await sendHead(`GET /api/status HTTP/1.1\r\nHost: gateway.example\r\nHost: ${second}`)
    expect(response).toStartWith('HTTP/1.1 400 ')
    expect(response).toContain('"code":"request.host"')
  }
})

test('a request without a host, as old balancers send it, is answered', async () => {
  expect(await sendHead('GET /health/live HTTP/1.0')).toEndWith('localhost /health/live')
})

test('a failure that no handler expected tells nothing of the source, and is reported', async () => {
  const response = await sendHead('GET /broken HTTP/1.1\r\nHost: gateway.example')
  expect(response).toStartWith('HTTP/1.1 500 ')
  expect(response).toContain('"code":"server.error"')
  expect(response).not.toContain('secret')
  expect(failures.map(String)).toEqual(['Error: a secret of the source'])
})
