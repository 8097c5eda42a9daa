import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import * as fc from 'fast-check'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { FakeTime } from '../../../test/fake-time'

setDefaultTimeout(120_000)

/** What the upstream writes in response to a request, piece by piece, before it closes the connection unless told otherwise. */
interface Script {
  readonly pieces: readonly (string | Uint8Array)[]
  readonly staysOpen?: boolean
}

let script: Script
let requests = 0
/** Writes bytes as they are: no server would. */
const upstream = Bun.listen<{ left: Uint8Array[] }>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open(socket) {
      socket.data = { left: [] }
    },
    data(socket, bytes) {
      if (!Buffer.from(bytes).includes('POST /')) return
      requests += 1
      socket.data.left = script.pieces.map((piece) => Buffer.from(piece as string))
      send(socket)
    },
    drain: (socket) => send(socket),
  },
})

function send(socket: Bun.Socket<{ left: Uint8Array[] }>): void {
  const { left } = socket.data
  while (left[0]) {
    const written = socket.write(left[0])
    left[0] = left[0].subarray(written)
    if (left[0].byteLength > 0) return
    left.shift()
  }
  if (!script.staysOpen) socket.end()
}

const perImage = 0.04 * 500_000
const time = new FakeTime()
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld({ time })
  await world.addChannel({
    base_url: `http://127.0.0.1:${upstream.port}`,
    models: 'gpt-image-1,dall-e-3,tts-1,whisper-1',
    setting: JSON.stringify({ max_retries: 0 }),
  })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  upstream.stop(true)
})
beforeEach(() => {
  requests = 0
})

async function row() {
  const { quota, other } = (await world.logs()).at(-1) ?? {}
  return { quota, other: JSON.parse(other ?? '{}') as Record<string, unknown> }
}

const head = (type: string, more = 'Connection: close') => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${more}\r\n\r\n`
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const megabytes = (count: number) => 'A'.repeat(count * 1024 * 1024)
const partial = event('image_generation.partial_image', { b64_json: 'AAAA', partial_image_index: 0 })
const complete = event('image_generation.completed', { b64_json: 'AAAA' })

const draw = () => world.post('/v1/images/generations', { model: 'dall-e-3', prompt: 'A harbour', n: 2, stream: true })
const speak = () => world.post('/v1/audio/speech', { model: 'tts-1', input: 'hello', voice: 'alloy' })
const read = (response: Response) => response.text().catch(() => 'broken')

/** Reads a response whose upstream says nothing after these bytes. */
async function readUntilTimeout({ body }: Response, last: string): Promise<string> {
  let text = ''
  try {
    for await (const bytes of body ?? []) {
      text += Buffer.from(bytes).toString('latin1')
      if (text.endsWith(last)) time.advance(world.ctx.config.requestTimeoutMs)
    }
  } catch {
    return 'broken'
  }
  return text
}

describe('a stream of images', () => {
  test('an image larger than any event of text reaches the client and is charged', async () => {
    const large = event('image_generation.completed', { b64_json: megabytes(20) })
    script = { pieces: [head('text/event-stream'), partial, large] }
    const text = await read(await draw())
    expect(text.length).toBe(partial.length + large.length)
    expect(await row()).toMatchObject({ quota: perImage, other: { image_count: 1 } })
  })

  test('an event that grows beyond any image ends the call and costs nothing', async () => {
    const endless = Array.from({ length: 80 }, () => megabytes(1))
    script = { pieces: [head('text/event-stream'), partial, 'data: {"b64_json":"', ...endless] }
    const text = await read(await draw())
    expect(text).toContain('"error"')
    expect(await row()).toMatchObject({ quota: 0, other: { ending: 'broken' } })
  })

  test('a stream that is cut within its second image costs the first', async () => {
    script = { pieces: [head('text/event-stream'), complete, complete.slice(0, 60)] }
    const text = await read(await draw())
    expect(text).toContain('"image_generation.completed"')
    expect((await row()).other).toMatchObject({ image_count: 1 })
    expect((await row()).quota).toBe(perImage)
  })

  test('a stream that never ends is cut at a timeout and costs the images that came', async () => {
    script = { pieces: [head('text/event-stream'), complete, partial], staysOpen: true }
    const text = await readUntilTimeout(await draw(), partial)
    expect(text).toContain('"upstream.broken"')
    expect(await row()).toMatchObject({ quota: perImage, other: { image_count: 1, ending: 'broken' } })
  })

  test('images and their count are those of the events, however the stream is cut', async () => {
    const body = Buffer.from(partial + complete + partial + complete)
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: body.length - 1 }), { maxLength: 4 }), async (cuts) => {
        const ends = [...cuts.toSorted((one, other) => one - other), body.length]
        const pieces = ends.map((end, at) => body.subarray(ends[at - 1] ?? 0, end))
        script = { pieces: [head('text/event-stream'), ...pieces] }
        expect(await read(await draw())).toBe(body.toString())
        expect(await row()).toMatchObject({ quota: 2 * perImage, other: { image_count: 2 } })
      }),
      { numRuns: 8 },
    )
  })
})

describe('audio', () => {
  const sound = 'x'.repeat(1000)
  const characters = Math.round((5 * 15 * 500_000) / 1e6)

  test.each([
    ['announces more than comes', head('audio/mpeg', 'Content-Length: 5000'), [sound]],
    ['breaks off within a chunk', head('audio/mpeg', 'Transfer-Encoding: chunked'), [`1000\r\n${sound}`]],
    ['breaks off between chunks', head('audio/mpeg', 'Transfer-Encoding: chunked'), [`3e8\r\n${sound}\r\n`]],
  ])('audio that %s breaks the connection to the client and is charged', async (_, start, pieces) => {
    script = { pieces: [start, ...pieces] }
    const response = await speak()
    expect(response.status).toBe(200)
    expect(await read(response)).toBe('broken')
    expect(await row()).toMatchObject({ quota: characters, other: { ending: 'broken' } })
  })

  test('audio that is longer than announced ends there, and its connection is not used again', async () => {
    script = { pieces: [head('audio/mpeg', 'Content-Length: 1000'), sound, 'HTTP/1.1 200 OK\r\n\r\n'], staysOpen: true }
    expect(await read(await speak())).toBe(sound)
    script = { pieces: [head('audio/mpeg', 'Content-Length: 3'), 'abc'] }
    expect(await read(await speak())).toBe('abc')
    expect(requests).toBe(2)
  })

  test.each([
    ['whose length is not a number', 'Content-Length: 5x'],
    ['with two lengths', 'Content-Length: 5\r\nContent-Length: 6'],
    ['with a length below zero', 'Content-Length: -1'],
  ])('audio %s is refused and costs nothing', async (_, length) => {
    script = { pieces: [head('audio/mpeg', length), 'abcde'] }
    const { length: before } = await world.logs()
    expect((await speak()).status).toBe(502)
    const charged = (await world.logs()).slice(before).filter(({ quota }) => quota > 0)
    expect(charged).toEqual([])
  })

  test('audio that never ends is cut at a timeout', async () => {
    script = { pieces: [head('audio/mpeg', 'Content-Length: 5000'), sound], staysOpen: true }
    expect(await readUntilTimeout(await speak(), sound.slice(1))).toBe('broken')
    expect(await row()).toMatchObject({ other: { ending: 'broken' } })
  })
})
