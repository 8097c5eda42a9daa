import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { Behaviour } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { createRelayWorld, type LoggedRow, type RelayWorld } from '../../../test/relay-world'

/** A channel of each dialect, and a model that only it serves. */
const upstreams = {
  'openai-chat': { type: 1, model: 'gpt-4o' },
  'openai-responses': { type: 1, model: 'o3-pro' },
  'anthropic-messages': { type: 14, model: 'claude-opus-4-5' },
  gemini: { type: 24, model: 'gemini-2.5-flash' },
} as const
type Upstream = keyof typeof upstreams

/** A model of an upstream that speaks only the first dialect, so that clients of all others are translated. */
const chatOnly = { type: 43, model: 'chat-only' }

const channelIds = new Map<Upstream, number>()
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  const plain = await world.ctx.database.query.selectFrom('channels').select('id').executeTakeFirstOrThrow()
  channelIds.set('openai-chat', plain.id)
  for (const upstream of ['openai-responses', 'anthropic-messages', 'gemini'] as const)
    channelIds.set(
      upstream,
      await world.addChannel({ type: upstreams[upstream].type, models: upstreams[upstream].model }),
    )
  await world.addChannel({ type: chatOnly.type, models: chatOnly.model })
  const each = (value: number) =>
    JSON.stringify(Object.fromEntries([...Object.values(upstreams), chatOnly].map(({ model }) => [model, value])))
  const open = [...channelIds.values()].map((channel) => ({ id: '*', channel }))
  await world.setOptions({
    ModelRatio: each(1),
    CompletionRatio: each(2),
    CacheRatio: each(0.1),
    VendorObjects: JSON.stringify(open),
  })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

/** Lets the test know when the upstream is about to send a frame, and hold the frame back. */
function createFrameGate() {
  const opened = Promise.withResolvers<void>()
  let limit = Infinity
  return {
    open: opened.resolve,
    holdAt: (frame: number) => void (limit = frame),
    gate: (frame: number): void | Promise<void> => (frame < limit ? undefined : opened.promise),
  }
}

const text = 'one two three four five six seven eight'
const promptTokens = 5000

interface Leaving {
  readonly upstream: Upstream
  /** The client's dialect; default: the upstream's own. */
  readonly dialect?: Upstream
  /** Default: the upstream's. */
  readonly model?: string
  readonly behaviour?: Behaviour
  /** The upstream pauses before this frame until its client has left, and continues then. */
  readonly heldAt: number
  /** The client leaves once it has read this. */
  readonly after: string
  readonly body?: object
}

/** Leaves in mid-stream. Resolves with the row of the call. */
async function leave({ upstream, dialect, model, behaviour, heldAt, after, body }: Leaving): Promise<LoggedRow> {
  const hold = createFrameGate()
  hold.holdAt(heldAt)
  world.simulator.next({ text, promptTokens, gate: hold.gate, ...behaviour })
  const client = new AbortController()
  const response = await send(upstream, client.signal, body, { dialect, model })
  await readUntil(response, after)
  client.abort()
  const arrived = await world.simulator.arrival(1)
  // Resolves when the upstream is stopped or goes on: the gateway has noticed that the client left.
  await Promise.race([arrived.ended, awaitDisconnect()])
  hold.open()
  await arrived.ended
  expect(await world.inFlight.whenIdle(10_000)).toBe(true)
  const id = response.headers.get('x-request-id')
  return eventually(async () => (await world.logs()).find((row) => row.request_id === id))
}

/** A later call was answered, so the disconnect has arrived as well. */
const awaitDisconnect = async () => {
  for (let turn = 0; turn < 3; turn += 1) await (await fetch(`${world.url}/v1/models`)).text()
}

type Asking = Pick<Leaving, 'dialect' | 'model'>

function send(upstream: Upstream, signal: AbortSignal, more: object = {}, asking: Asking = {}): Promise<Response> {
  const { dialect = upstream, model = upstreams[upstream].model } = asking
  const conversation = [{ role: 'user', content: 'hello' }]
  switch (dialect) {
    case 'openai-chat':
      return world.post('/v1/chat/completions', { model, stream: true, messages: conversation, ...more }, { signal })
    case 'openai-responses':
      return world.post('/v1/responses', { model, stream: true, input: conversation, ...more }, { signal })
    case 'anthropic-messages':
      return world.post(
        '/v1/messages',
        { model, stream: true, max_tokens: 1000, messages: conversation, ...more },
        { signal },
      )
    default:
      return world.post(
        `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
        { contents: [{ parts: [{ text: 'hello' }] }], ...more },
        { signal },
      )
  }
}

async function readUntil(response: Response, expected: string): Promise<void> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let read = ''
  while (!read.includes(expected)) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) throw new Error(`The stream ended before ${expected}`)
    read += decoder.decode(value, { stream: true })
  }
}

const otherOf = (row: LoggedRow): Record<string, unknown> => JSON.parse(row.other)
const outcome = async () => (await world.simulator.arrival(1)).ended

const reasoned = {
  text: undefined,
  tokens: 8,
  reasoningTokens: 50_000,
  usageOverride: {
    prompt_tokens: promptTokens,
    completion_tokens: 50_008,
    total_tokens: promptTokens + 50_008,
    completion_tokens_details: { reasoning_tokens: 50_000 },
  },
} satisfies Behaviour

const setting = (value: object) =>
  world.changeChannel(channelIds.get('openai-chat') ?? 0, { setting: JSON.stringify(value) })

describe('a client that leaves when the response is finished', () => {
  // role, eight words, the finish reason, the usage
  const finished = { upstream: 'openai-chat', heldAt: 10, after: '"finish_reason":"stop"' } as const

  test('a client that leaves after the last content pays the usage that follows it', async () => {
    const row = await leave({ ...finished, behaviour: reasoned })
    expect(await outcome()).toBe('completed')
    expect(row).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: 50_008 })
    expect(otherOf(row)).toMatchObject({ ending: 'abandoned' })
    expect(otherOf(row)).not.toHaveProperty('estimated')
  })

  test('a client that leaves after the last content pays the usage even where the channel cancels', async () => {
    await setting({ on_disconnect: 'cancel' })
    const row = await leave({ ...finished, behaviour: reasoned })
    await setting({})
    expect(row).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: 50_008 })
  })
})

describe('a client that leaves midway', () => {
  const middle = { upstream: 'openai-chat', heldAt: 5, after: 'three' } as const

  test('an upstream whose billing stops with the connection is stopped, and the client pays for what arrived', async () => {
    const row = await leave(middle)
    expect(await outcome()).toBe('aborted')
    expect(row.completion_tokens).toBeWithin(3, 6)
    expect(otherOf(row)).toMatchObject({ ending: 'abandoned', usage_estimated: 'all' })
  })

  test('an upstream whose vendor bills the rest anyway is drained', async () => {
    const row = await leave({ upstream: 'gemini', heldAt: 3, after: 'two' })
    expect(await outcome()).toBe('completed')
    expect(row).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: 8 })
    expect(otherOf(row)).not.toHaveProperty('estimated')
  })

  test('a draining vendor is stopped where the channel cancels, and the usage so far is paid', async () => {
    const id = channelIds.get('gemini') ?? 0
    await world.changeChannel(id, { setting: '{"on_disconnect":"cancel"}' })
    const row = await leave({ upstream: 'gemini', heldAt: 3, after: 'two' })
    await world.changeChannel(id, { setting: '' })
    expect(await outcome()).toBe('aborted')
    expect(row.prompt_tokens).toBe(promptTokens)
    expect(row.completion_tokens).toBeWithin(2, 5)
  })

  test('a client that leaves pays the reported prompt, with its cache', async () => {
    const behaviour = { promptTokens: 100_000, cachedTokens: 90_000 }
    const row = await leave({ upstream: 'anthropic-messages', heldAt: 6, after: 'two', behaviour })
    expect(await outcome()).toBe('aborted')
    // (10,000 + 90,000 x 0.1) of the prompt, and a few words
    expect(row.prompt_tokens).toBe(100_000)
    expect(row.quota).toBeWithin(19_002, 19_020)
    expect(otherOf(row)).toMatchObject({ usage_estimated: 'completion', cache_tokens: 90_000 })
  })

  test('a client that leaves before the first content pays the reported prompt', async () => {
    const hold = createFrameGate()
    hold.holdAt(2)
    world.simulator.next({ text, promptTokens: 9000, gate: hold.gate })
    const client = new AbortController()
    const pendingResponse = send('anthropic-messages', client.signal).catch(() => null)
    const arrived = await world.simulator.arrival(1)
    await eventually(async () => (arrived.framesDelivered >= 2 ? true : null))
    await awaitDisconnect()
    client.abort()
    expect(await pendingResponse).toBeNull()
    expect(await arrived.ended).toBe('aborted')
    expect(await world.inFlight.whenIdle(10_000)).toBe(true)
    const row = (await world.logs()).at(-1)
    expect(row).toMatchObject({ prompt_tokens: 9000, completion_tokens: 1 })
  })
})

describe('a client that leaves where much of the cost is not visible', () => {
  test('a client that leaves pays the reasoning reported at the end, if the end is near', async () => {
    const row = await leave({ upstream: 'openai-responses', heldAt: 8, after: 'quick', behaviour: reasoned })
    expect(await outcome()).toBe('completed')
    expect(row).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: 50_008 })
  })

  test('a client that leaves pays for a prompt stored at the vendor, and the searches that ran', async () => {
    const body = { previous_response_id: 'resp_0', tools: [{ type: 'web_search' }] }
    const behaviour = { promptTokens: 80_000, searches: 3 }
    const row = await leave({ upstream: 'openai-responses', heldAt: 22, after: 'two', behaviour, body })
    expect(row.prompt_tokens).toBe(80_000)
    expect(otherOf(row)).toMatchObject({ web_search_call_count: 3 })
  })
})

/** Index of the frame where the content of each upstream's stream begins. */
const firstWordAt: Readonly<Record<Upstream, number>> = {
  'openai-chat': 1,
  'openai-responses': 4,
  'anthropic-messages': 3,
  gemini: 0,
}

describe.each(Object.keys(upstreams) as Upstream[])('a client of %s that leaves', (upstream) => {
  test.each(['one', 'three', 'six', 'eight'])(
    'a client that leaves after %s is charged once, and for no more than was served',
    async (after) => {
      const heldAt = firstWordAt[upstream] + text.split(' ').indexOf(after) + 1
      const row = await leave({ upstream, heldAt, after })
      expect(row.quota).toBeWithin(6, promptTokens + 8 * 2 + 1)
      expect((await world.logs()).filter(({ request_id: id }) => id === row.request_id)).toHaveLength(1)
      expect(otherOf(row)).toMatchObject({ ending: 'abandoned' })
    },
  )
})

const dialects = Object.keys(upstreams) as Upstream[]
const pairs = dialects.flatMap((upstream) =>
  dialects.filter((dialect) => dialect !== upstream).map((dialect) => [dialect, upstream] as const),
)

test.each(pairs)(
  'a client of %s that leaves an upstream of %s pays what the upstream’s own client would',
  async (...pair) => {
    const [dialect, upstream] = pair
    const model = upstream === 'openai-chat' ? chatOnly.model : upstreams[upstream].model
    const leaving = { upstream, model, heldAt: firstWordAt[upstream] + 3, after: 'three' }
    const own = await leave(leaving)
    world.simulator.reset()
    const row = await leave({ ...leaving, dialect })
    expect((await world.logs()).filter(({ request_id: id }) => id === row.request_id)).toHaveLength(1)
    expect(row.prompt_tokens).toBe(own.prompt_tokens)
    // How many words had arrived when the gateway noticed.
    expect(row.completion_tokens).toBeWithin(own.completion_tokens - 2, own.completion_tokens + 3)
    expect(row.quota).toBe(row.prompt_tokens + 2 * row.completion_tokens)
    const endingOf = (of: LoggedRow) => [otherOf(of)['ending'], otherOf(of)['usage_estimated']]
    expect(endingOf(row)).toEqual(endingOf(own))
  },
)

describe('a body that passes unchanged', () => {
  const sendStream = (body: object = {}) => world.chat({ stream: true, ...body })

  test.each(['channel', 'site'])(
    'usage is requested from the upstream (%s), and hidden from a client that did not request it',
    async (scope) => {
      if (scope === 'channel') await setting({ pass_through_body_enabled: true })
      else await world.setOptions({ 'global.pass_through_request_enabled': 'true' })
      world.simulator.next({ ...reasoned })
      const response = await sendStream()
      const read = await response.text()
      expect(JSON.parse(world.simulator.requests[0]?.body ?? '{}')).toMatchObject({
        stream_options: { include_usage: true },
      })
      expect(read).not.toContain('"completion_tokens"')
      world.simulator.next({ ...reasoned })
      expect(await (await sendStream({ stream_options: { include_usage: true } })).text()).toContain(
        '"completion_tokens":50008',
      )
      await setting({})
      await world.setOptions({ 'global.pass_through_request_enabled': 'false' })
      const id = response.headers.get('x-request-id')
      const row = await eventually(async () => (await world.logs()).find((row) => row.request_id === id))
      expect(row).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: 50_008 })
    },
  )
})
