import { hourMs } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { faults } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { FakeTime, WallClock } from '../../../test/fake-time'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

const time = new FakeTime()
const clock = new WallClock()

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld({ clock, time, environment: { REQUEST_TIMEOUT: '5' } })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.simulator.reset()
})

const rowOf = (response: Response) =>
  eventually(async () => (await world.logs()).find((row) => row.request_id === response.headers.get('x-request-id')))

test('a stream that grows without bound is aborted before it fills the memory', async () => {
  world.simulator.next(faults['endless-line'])
  const response = await world.chat({ stream: true })
  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('"upstream.malformed"')])
  const [request] = world.simulator.requests
  expect(await request?.ended).toBe('aborted')
})

/** A healthy chat response or chunk, except for one deeply nested, unexpected member. */
function deep(levels: number, isStream: boolean): string {
  const chatMessage = { role: 'assistant', content: 'hi' }
  const choices = [
    { index: 0, ...(isStream ? { delta: chatMessage } : { message: chatMessage }), finish_reason: 'stop' },
  ]
  const usage = { prompt_tokens: 1, completion_tokens: 1 }
  return `{"x":${'['.repeat(levels)}${']'.repeat(levels)},${JSON.stringify({ choices, usage }).slice(1)}`
}

const wholeDeep = { contentType: 'application/json', text: deep(1_000_000, false) }
const streamDeep = { contentType: 'text/event-stream', text: `data: ${deep(1_000_000, true)}\n\ndata: [DONE]\n\n` }

test.each([
  ['a whole answer', false, '/v1/chat/completions', wholeDeep],
  ['a stream', true, '/v1/chat/completions', streamDeep],
  ['a translated answer', false, '/v1/messages', wholeDeep],
  ['a translated stream', true, '/v1/messages', streamDeep],
] as const)('%s that is nested very deeply is not traversed, and another channel is tried', async (...testCase) => {
  const [, stream, path, body] = testCase
  const id = await world.addChannel({ priority: 5 })
  await world.setOptions({ RetryTimes: '1' })
  world.simulator.next({ fault: { kind: 'body', ...body } })
  const messages = [{ role: 'user', content: 'hello' }]
  const response = await world.post(path, { model: 'gpt-4o', max_tokens: 10, stream, messages })
  await response.text()
  await world.setOptions({ RetryTimes: '0' })
  await world.changeChannel(id, { status: 2 })
  expect(response.status).toBe(200)
  const other: unknown = JSON.parse((await rowOf(response)).other)
  expect(other).toMatchObject({ admin_info: { use_channel: [String(id), '1'] } })
})

test('a stream without an end is cut at the total timeout and charged for what arrived', async () => {
  world.simulator.next({ tokens: 1000, gapMs: 1 })
  const response = await world.chat({ stream: true })
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += new TextDecoder().decode(bytes)
    time.advance(1000)
  }
  expect(text).toContain('"upstream.broken"')
  const row = await rowOf(response)
  expect(row.completion_tokens).toBeWithin(1, 999)
  expect(JSON.parse(row.other)).toMatchObject({ ending: 'broken' })
})

test('the message of an error in the middle of a stream is not counted as output', async () => {
  const error = { message: 'many words '.repeat(500), type: 'server_error', code: null }
  const started = Promise.withResolvers<void>()
  const gate = (frame: number) => (frame === 4 ? started.promise : undefined)
  world.simulator.next({ gate, fault: { kind: 'error-in-200', afterFrames: 4, error } })
  const response = await world.chat({ stream: true })
  started.resolve()
  expect(await response.text()).toContain('"error"')
  expect((await rowOf(response)).completion_tokens).toBeWithin(1, 10)
})

test('a stale kept connection costs an attempt that the row shows, and no response', async () => {
  const ok = async () => expect((await world.chat()).status).toBe(200)
  await ok()
  world.simulator.next({ fault: { kind: 'reset', when: 'before-headers' } })
  const before = world.simulator.requests.length
  const response = await world.chat()
  expect([response.status, world.simulator.requests.length - before]).toEqual([200, 2])
  const { other } = await rowOf(response)
  const reason = 'The upstream closed a kept connection as it was used again'
  expect(JSON.parse(other)).toMatchObject({ admin_info: { use_channel: ['1', '1'], attempts: [{ reason }, {}] } })
})

test('a connection that the upstream closed after a response is not reused', async () => {
  const choice = { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }
  const body = JSON.stringify({ id: 'x', choices: [choice], usage: { prompt_tokens: 1, completion_tokens: 1 } })
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  world.simulator.when(() => true, { fault: { kind: 'raw', text: head + body } })
  for (let call = 0; call < 20; call += 1) expect((await world.chat()).status).toBe(200)
})

test('a draining channel is charged for a response that its client did not wait for', async () => {
  const id = await world.addChannel({ priority: 5, setting: '{"on_disconnect":"drain"}' })
  const gate = Promise.withResolvers<void>()
  world.simulator.next({ tokens: 7, promptTokens: 30, gate: () => gate.promise })
  const controller = new AbortController()
  const pendingResponse = world.chat({}, { signal: controller.signal }).catch(() => null)
  const request = await world.simulator.arrival(1)
  const before = (await world.logs()).length
  controller.abort()
  expect(await pendingResponse).toBeNull()
  gate.resolve()
  expect(await request.ended).toBe('completed')
  const row = await eventually(async () => (await world.logs())[before])
  await world.changeChannel(id, { status: 2 })
  expect(row).toMatchObject({ prompt_tokens: 30, completion_tokens: 7 })
})

test.each([-1, 1])('a wall clock that jumps (%i hours) in the middle of a call ends nothing', async (hours) => {
  const gate = Promise.withResolvers<void>()
  world.simulator.next({ tokens: 9, gate: (frame) => (frame === 3 ? gate.promise : undefined) })
  const response = await world.chat({ stream: true })
  for (const one of [clock, time]) one.jump(hours * hourMs)
  gate.resolve()
  expect(await response.text()).toEndWith('data: [DONE]\n\n')
  expect((await rowOf(response)).use_time).toBeWithin(0, 60)
  expect((await world.chat()).status).toBe(200)
})

/** Returns the response to a call through a channel at this address. */
async function unreachable(address: string): Promise<string> {
  const id = await world.addChannel({ priority: 5, base_url: address, models: 'gpt-4o' })
  const response = await world.chat()
  await world.changeChannel(id, { status: 2 })
  expect(response.status).toBe(502)
  return response.text()
}

test('a host that refuses, does not resolve or does not speak TLS is an unreachable upstream', async () => {
  const plain = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') },
  })
  for (const address of ['http://127.0.0.1:1', 'http://no-such-host.invalid', `https://127.0.0.1:${plain.port}`]) {
    expect(await unreachable(address)).toContain('"upstream.unreachable"')
  }
  plain.stop(true)
})

test.skipIf(!Bun.which('openssl'))('a self-signed certificate is rejected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = [
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=localhost',
    '-keyout',
    key,
    '-out',
    cert,
  ]
  Bun.spawnSync(['openssl', 'req', '-x509', ...request])
  const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  let calls = 0
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch: () => Response.json({ calls: (calls += 1) }) })
  expect(await unreachable(`https://localhost:${server.port}`)).toContain('"upstream.unreachable"')
  expect(calls).toBe(0)
  await server.stop(true)
  rmSync(folder, { recursive: true })
})

test('a token that never ends is aborted before it fills the memory', async () => {
  let sent = 0
  const part = new Uint8Array(64 * 1024).fill(0x61)
  const gave = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += part.length
            controller.enqueue(part)
          },
        }),
      ),
  })
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const account = { project_id: 'p', client_email: 'gate@p.example', private_key: privateKey }
  await world.addChannel({
    type: 41,
    models: 'gemini-2.5-pro',
    base_url: String(gave.url).replace(/\/$/, ''),
    key_sealed: world.ctx.seal.seal(JSON.stringify(account)),
  })
  const response = await world.chat({ model: 'gemini-2.5-pro' })
  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('"upstream.unreachable"')])
  // Socket buffers come on top.
  expect(sent).toBeLessThan(32 * 1024 * 1024)
  await gave.stop(true)
})
