import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { eventually } from '../../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { ownLogEntity } from '../../console-api/logs/log-entity'

/** A key of two parts; the vendor receives both, in two headers. */
const parts = ['bce-v3/ALTAK-SecretPart/9f8e7d6c5b4a', 'app-4711-hidden'] as const
const pieces = ['ALTAK-SecretPart', '9f8e7d6c5b4a', 'app-4711-hidden']

let stream: () => AsyncGenerator<string>
const streamOf = (events: AsyncGenerator<string>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next()
      if (done) controller.close()
      else controller.enqueue(Buffer.from(value))
    },
  })
const streaming = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response(streamOf(stream()), { headers: { 'content-type': 'text/event-stream' } }),
})

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld({ environment: { LOG_LEVEL: 'warn' } })
  await world.addChannel({ type: 46, key_sealed: world.ctx.seal.seal(parts.join('|')), models: 'm-echo' })
  const base_url = String(streaming.url).replace(/\/$/, '')
  await world.addChannel({ type: 46, key_sealed: world.ctx.seal.seal(parts.join('|')), models: 'm-stream', base_url })
  await world.setOptions({ LogErrorEnabled: 'true', ModelPrice: '{"m-echo":0.001,"m-stream":0.001}' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await streaming.stop(true)
})
beforeEach(() => world.simulator.reset())

const findLeaks = (text: string) => pieces.filter((piece) => text.includes(piece))

/** Upstream errors that repeat what was sent, each in one member. */
const echoes: readonly (readonly [string, object])[] = [
  ['the message', { message: `Wrong key ALTAK-SecretPart of app-4711-hidden`, type: 'x', code: 'y' }],
  ['the type', { message: 'Wrong', type: 'of 9f8e7d6c5b4a', code: 'y' }],
  ['the code', { message: 'Wrong', type: 'x', code: 'app-4711-hidden' }],
  ['the parameter', { message: 'Wrong', type: 'x', code: 'y', param: `authorization ${parts[0]}` }],
  ['a member of its own', { message: 'Wrong', type: 'x', code: 'y', metadata: { headers: { appid: parts[1] } } }],
]

const sendRequest = (stream: boolean, path: string, model: string) =>
  world.post(path, { model, max_tokens: 20, messages: [{ role: 'user', content: 'hi' }], stream })

test.each(echoes)('a refusal that repeats a part of the key in %s reveals it to no one', async (_where, error) => {
  world.simulator.when(() => true, { fault: { kind: 'status', status: 400, body: { error } } })
  for (const path of ['/v1/chat/completions', '/v1/messages']) {
    const response = await sendRequest(false, path, 'm-echo')
    const text = await response.text()
    expect([response.status, findLeaks(text)]).toEqual([400, []])
    const id = response.headers.get('x-request-id')
    const row = await eventually(async () => (await world.logs()).find((one) => one.request_id === id) ?? null)
    expect(findLeaks(JSON.stringify([row, ownLogEntity(row, 'en')]))).toEqual([])
  }
})

const chunk = { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hello' } }] }
const eventOf = (data: object) => `data: ${JSON.stringify(data)}\n\n`

test.each(echoes)(
  'a stream that fails midway and repeats a part of the key in %s reveals it to no one',
  async (_where, error) => {
    for (const end of [eventOf({ error }), eventOf({ error }).trimEnd(), `${eventOf({ error })}data: [DONE]\n\n`]) {
      const started = Promise.withResolvers<void>()
      stream = async function* () {
        yield eventOf(chunk)
        // The error arrives in a read of its own.
        await started.promise
        yield end
      }
      const response = await sendRequest(true, '/v1/chat/completions', 'm-stream')
      expect(response.status).toBe(200)
      let received = ''
      for await (const bytes of response.body ?? []) {
        received += Buffer.from(bytes).toString()
        if (received.includes('Hello')) started.resolve()
      }
      expect(findLeaks(received)).toEqual([])
      expect(received).toContain('"error"')
    }
  },
)

test('a stream that fails midway tells its client why unless the reason contains a secret', async () => {
  const started = Promise.withResolvers<void>()
  stream = async function* () {
    yield eventOf(chunk)
    await started.promise
    yield eventOf({ error: { message: 'The model is overloaded', type: 'server_error', code: 'overloaded' } })
  }
  const response = await sendRequest(true, '/v1/chat/completions', 'm-stream')
  let received = ''
  for await (const bytes of response.body ?? []) {
    received += Buffer.from(bytes).toString()
    if (received.includes('Hello')) started.resolve()
  }
  expect(received).toContain('The model is overloaded')
})

test('no log line and no file of the data folder contains a repeated part of a key', () => {
  const lines = world.ctx.recentLines.read().join('\n')
  expect(lines).toContain('an upstream call failed')
  expect(findLeaks(lines)).toEqual([])
  const { dataDir } = world.ctx.config
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dataDir, name))
    .filter((path) => statSync(path).isFile())
  expect(files.length).toBeGreaterThan(2)
  for (const path of files) expect([path, findLeaks(readFileSync(path, 'latin1'))]).toEqual([path, []])
})
