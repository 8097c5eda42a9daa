import { afterAll, beforeAll, beforeEach, expect, test, setDefaultTimeout } from 'bun:test'

import type { Behaviour } from '@tollgate/simulator'

import { aWorld, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

let world: World
beforeAll(async () => {
  world = await aWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const behaviours: Record<string, Behaviour> = {
  plain: {},
  'unknown fields': { unknownFields: true },
  comments: { comments: true },
  'CR LF': { crlf: true },
  'one byte a write': { splitAt: 1 },
  'all in one write': { joinFrames: 1000 },
  gzip: { gzip: true },
  'a huge frame': { hugeFrame: 8 * 1024 * 1024 },
  'usage in each chunk, as asked': { usage: 'every-chunk' },
  'no end mark': { done: false },
}

/** Makes the same call straight to the simulator and through the gateway. Response ids are counted from a fresh start. */
async function bothResponses(
  path: string,
  body: object,
  behaviour: Behaviour,
): Promise<[direct: Buffer, relayed: Buffer]> {
  const responses: Buffer[] = []
  for (const url of [world.simulator.url, world.gateway.url]) {
    world.simulator.reset()
    world.simulator.next(behaviour)
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    responses.push(Buffer.from(await response.arrayBuffer()))
  }
  const [direct, relayed] = responses
  if (!direct || !relayed) throw new Error('An answer is missing')
  return [direct, relayed]
}

const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] }

for (const [name, behaviour] of Object.entries(behaviours)) {
  test(`a whole response is the upstream’s byte for byte: ${name}`, async () => {
    const [direct, relayed] = await bothResponses('/v1/chat/completions', chat, behaviour)
    expect(relayed.equals(direct)).toBe(true)
  })

  test(`a stream is the upstream’s byte for byte: ${name}`, async () => {
    const body = { ...chat, stream: true, stream_options: { include_usage: true } }
    const [direct, relayed] = await bothResponses('/v1/chat/completions', body, behaviour)
    expect(relayed.equals(direct)).toBe(true)
  })
}

test.each([
  ['/v1/completions', { model: 'gpt-3.5-turbo-instruct', prompt: 'hello' }],
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: ['a', 'b'] }],
  ['/v1/moderations', { model: 'omni-moderation-latest', input: 'hello' }],
])('a response of %s is the upstream’s byte for byte', async (path, body) => {
  const [direct, relayed] = await bothResponses(path, body, {})
  expect(relayed.equals(direct)).toBe(true)
})

test('a stream whose caller did not ask for usage contains none, although the gateway requested it', async () => {
  const [direct, relayed] = await bothResponses('/v1/chat/completions', { ...chat, stream: true }, {})
  expect(relayed.toString()).not.toContain('prompt_tokens')
  // The direct call did not request usage at all, so only the null placeholders may differ.
  expect(relayed.toString().replaceAll(',"usage":null', '')).toBe(direct.toString())
})

test('requested usage is present even when the upstream withholds it', async () => {
  const body = { ...chat, stream: true, stream_options: { include_usage: true } }
  const [, relayed] = await bothResponses('/v1/chat/completions', body, { usage: 'none' })
  const events = relayed.toString().trim().split('\n\n')
  expect(events.at(-1)).toBe('data: [DONE]')
  expect(JSON.parse(events.at(-2)?.slice(6) ?? '')).toMatchObject({
    choices: [],
    usage: { prompt_tokens: expect.any(Number) },
  })
})

test('the request reaches the upstream with its unknown fields', async () => {
  const body = { ...chat, vendor_field: { deep: [1, 'two', null] }, temperature: 0 }
  await bothResponses('/v1/chat/completions', body, {})
  expect(world.simulator.requests[0]?.json).toEqual(body)
})
