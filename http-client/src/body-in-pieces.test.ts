import { afterEach, expect, test } from 'bun:test'

import { Cancellation } from './cancellation'
import { UpstreamClient } from './upstream-client'
import type { RequestBody } from './upstream-request'
import { FakeTime } from '../../gateway/test/fake-time'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

/** Returns a way to send bodies, over connections that are kept. */
function aSender() {
  const client = new UpstreamClient({ connectTimeoutMs: 5_000, usesProxy: false }, new FakeTime().parts)
  cleanups.push(() => client[Symbol.dispose]())
  return async (port: number, body: RequestBody) => {
    const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body, proxy: undefined }
    const response = await client.send(request, new Cancellation())
    let text = ''
    for (let part = await response.body.read(); !part.done; part = await response.body.read())
      text += Buffer.from(part.value).toString()
    return { status: response.status, text }
  }
}

test('a body in pieces arrives whole, also at a peer that reads slowly, and the connection serves again', async () => {
  const file = new Uint8Array(3_000_000).map((_, index) => index % 251)
  const total = 10 + file.byteLength + 2
  const arrived: Uint8Array[] = []
  let size = 0
  let requests = 0
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        // The peer stops reading for a turn after each read.
        socket.pause()
        setImmediate(() => socket.resume())
        const bodyBytes = size === 0 ? bytes.subarray(bytes.indexOf('\r\n\r\n') + 4) : bytes
        arrived.push(Uint8Array.from(bodyBytes))
        size += bodyBytes.byteLength
        if (size < total) return
        requests += 1
        size = 0
        socket.write(ok)
      },
    },
  })
  cleanups.push(() => server.stop(true))
  const send = aSender()
  const body = [Buffer.from('0123456789'), file, Buffer.from('{}')]
  for (const expected of [1, 2]) {
    expect(await send(server.port, body)).toEqual({ status: 200, text: '{}' })
    expect(requests).toBe(expected)
    expect(Buffer.concat(arrived.splice(0)).equals(Buffer.concat(body))).toBe(true)
  }
})

test('an answer that comes before a body is sent whole ends the connection', async () => {
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.pause()
        socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')
      },
    },
  })
  cleanups.push(() => server.stop(true))
  const send = aSender()
  const body = [new Uint8Array(20_000_000)]
  expect(await send(server.port, body)).toEqual({ status: 413, text: '' })
})
