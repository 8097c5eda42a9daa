import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { FormFile } from '@tollgate/dialects'
import * as fc from 'fast-check'

import { writeForm } from '../../channels/calls/write-form'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { cutForm } from './cut-form'

setDefaultTimeout(120_000)

let received: unknown = null
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const fields = [...(await request.formData())].map(async ([name, value]) => [
      name,
      typeof value === 'string' ? value : [value.name, Buffer.from(await value.arrayBuffer()).toString('hex')],
    ])
    received = Object.fromEntries(await Promise.all(fields))
    return Response.json({ text: 'hello', usage: { type: 'duration', seconds: 1 } })
  },
})
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ base_url: String(upstream.url).replace(/\/$/, ''), models: 'whisper-1' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})

/** Sends these pieces over one connection, each after the one before has left. Resolves with the status. */
async function sendInPieces(pieces: readonly Uint8Array[]): Promise<number> {
  const responseStatus = Promise.withResolvers<number>()
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(new URL(world.url).port),
    socket: {
      data: (_, bytes) => responseStatus.resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString())?.[1])),
      close: () => responseStatus.reject(new Error('The gateway closed the connection')),
    },
  })
  socket.setNoDelay(true)
  for (const piece of pieces) {
    socket.write(piece)
    socket.flush()
    await Bun.sleep(0)
  }
  const status = await responseStatus.promise
  socket.end()
  return status
}

/** Bytes among which boundaries and ends of lines are likely. */
const troublesome = fc
  .array(fc.oneof(fc.constantFrom('\r\n', '--', '\r\n--b', '--b--', '\0', '\r'), fc.string({ maxLength: 3 })), {
    maxLength: 12,
  })
  .map((parts) => Buffer.from(parts.join(''), 'latin1'))

test('a form reaches the upstream whole, at whatever bytes the network cuts it', async () => {
  const splits = fc.uniqueArray(fc.nat(), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(troublesome, splits, async (content, places) => {
      const bytes = new Uint8Array(Buffer.concat([Buffer.from('RIFF'), content]))
      const file = new FormFile('a.wav', 'audio/wav', bytes)
      const { contentType, pieces } = writeForm({ model: 'whisper-1', prompt: 'ships', file }, 'a-boundary')
      const body = Buffer.concat(pieces)
      const start =
        `POST /v1/audio/transcriptions HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${world.key}\r\n` +
        `Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n`
      const request = Buffer.concat([Buffer.from(start), body])
      const ends = [...places.map((index) => index % request.length).toSorted((a, b) => a - b), request.length]
      const cut = ends.map((end, at) => request.subarray(ends[at - 1] ?? 0, end)).filter(({ length }) => length > 0)
      received = null
      expect(await sendInPieces(cut)).toBe(200)
      const hex = Buffer.from(bytes).toString('hex')
      expect(received).toEqual({ model: 'whisper-1', prompt: 'ships', file: ['a.wav', hex] })
    }),
    { numRuns: 25 },
  )
})

test('what is written as a form is cut into the same fields', () => {
  const boundary = 'tollgate-0123456789abcdef'
  fc.assert(
    fc.property(fc.array(troublesome, { minLength: 1, maxLength: 6 }), (contents) => {
      const fields = contents.map((content, at) => {
        const file = new FormFile(`${at}.bin`, 'application/octet-stream', new Uint8Array(content))
        return [`file${at}`, at % 2 === 0 ? file : content.toString('latin1')] as const
      })
      const { pieces } = writeForm(Object.fromEntries(fields), boundary)
      const parts = cutForm(Buffer.concat(pieces), boundary)
      expect(parts.map(({ name }) => name)).toEqual(fields.map(([name]) => name))
      for (const [at, { filename, bytes }] of parts.entries()) {
        const content = contents[at] ?? Buffer.alloc(0)
        expect(filename).toBe(at % 2 === 0 ? `${at}.bin` : null)
        expect(bytes.toString('hex')).toBe(
          at % 2 === 0 ? content.toString('hex') : Buffer.from(content.toString('latin1')).toString('hex'),
        )
      }
    }),
  )
})
