import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Returns everything the gateway sends after a request head, until it closes the connection. */
async function readResponseTo(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  socket.write(`${[...lines, `Host: ${hostname}:${port}`].join('\r\n')}\r\n\r\n`)
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
]

test.each(['/v1/responses', '/v1/responses?model=gpt-4o'])(
  'a WebSocket upgrade of %s is answered 426 over HTTP, and the connection is closed',
  async (path) => {
    const response = await readResponseTo([`GET ${path} HTTP/1.1`, ...upgrade])
    expect(response).toStartWith('HTTP/1.1 426 ')
    expect(response).toMatch(/^connection: close\r$/im)
    expect(response).toMatch(/^upgrade: HTTP\/1.1\r$/im)
    const body: unknown = JSON.parse(response.split('\r\n\r\n')[1] ?? '')
    expect(body).toMatchObject({ error: { code: 'endpoint.upgrade', type: 'invalid_request_error' } })
  },
)

test('a plain GET of /v1/responses is answered 405', async () => {
  const response = await fetch(`${world.url}/v1/responses`)
  expect(response.status).toBe(405)
})
