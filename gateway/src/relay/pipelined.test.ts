import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  const base_url = world.simulator.url
  await world.addChannel({ type: 36, base_url, models: 'suno_music' })
  await world.addChannel({ type: 2, base_url, models: 'mj_imagine' })
  await world.addChannel({ type: 50, base_url, models: 'kling-v2-6' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const aCall = (key: string, content = 'hello') =>
  aPost('/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content }] }, key)

const aPost = (path: string, json: object, key: string) => {
  const body = JSON.stringify(json)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: gateway.test',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Sends everything in one piece. Resolves with what came back until the gateway closed the connection. */
function sendRaw(text: string): Promise<string> {
  const { port, hostname } = new URL(world.url)
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = ''
  const socket = connect(Number(port), hostname, () => void socket.write(text))
  socket.on('data', (bytes) => void (received += bytes.toString()))
  socket.on('error', () => {})
  socket.on('close', () => resolve(received))
  return promise
}

test.each([
  ['with its next call', (key: string) => aCall(key) + aCall(key)],
  ['with its next call, both large', (key: string) => aCall(key, 'x'.repeat(200_000)) + aCall(key)],
  ['with an empty line after it', (key: string) => `${aCall(key)}\r\n`],
])('a call that a client sends %s reaches no upstream and costs nothing', async (_how, request) => {
  const { userId, key } = await world.addPayer(1e6)
  await sendRaw(request(key))
  await (await world.chat({}, { key })).text()
  const rows = await world.chargesOf(userId, 1)
  expect(rows).toHaveLength(1)
  expect(world.simulator.requests).toHaveLength(1)
  expect(await world.balanceOf(userId)).toBe(1e6 - (rows[0]?.quota ?? 0))
})

test.each([
  ['a song', '/suno/submit/music', { mv: 'suno_music', prompt: 'rain' }],
  ['a drawing', '/mj/submit/imagine', { prompt: 'a harbour' }],
  ['a video', '/v1/videos', { model: 'kling-v2-6', prompt: 'a fox' }],
  ['a response in the background', '/v1/responses', { model: 'gpt-4o', input: 'hello', background: true }],
])('%s that is submitted with a next call behind it becomes no task', async (_what, path, json) => {
  const { userId, key } = await world.addPayer(1e7)
  await sendRaw(aPost(path, json, key) + aCall(key))
  // The same by itself takes the same steps, and later.
  await (await world.post(path, json, { key })).text()
  const tasks = await world.ctx.database.query.selectFrom('tasks').select('id').where('user_id', '=', userId).execute()
  expect(tasks).toHaveLength(1)
})
