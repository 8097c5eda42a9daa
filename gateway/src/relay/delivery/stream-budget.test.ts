import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { noUsage } from '@tollgate/dialects'
import type { Behaviour } from '@tollgate/simulator'
import * as fc from 'fast-check'

import { pricesWith } from '../../../test/prices'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { StreamBudget } from './stream-budget'

/* gpt-4o: a prompt token costs 1.25, an output token 5. The stand-in upstream ignores limits where it is told the text. */
const claude = 'claude-3-5-haiku-20241022'
let world: RelayWorld
const channels: Record<string, number> = {}
beforeAll(async () => {
  world = await createRelayWorld()
  const { id } = await world.ctx.database.query.selectFrom('channels').select('id').executeTakeFirstOrThrow()
  await world.changeChannel(id, { models: 'gpt-4o,gpt-3.5-turbo-instruct,gpt-5.6,gpt-audio', type: 1 })
  channels['claude'] = await world.addChannel({ type: 14, models: claude })
  channels['gemini'] = await world.addChannel({ type: 24, models: 'gemini-2.0-flash' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const sentence = 'the quick brown fox jumps over the lazy dog again '
/** Eight tokens a sentence, each of which costs at most a twentieth of a cent. */
const longText = sentence.repeat(800)

async function balanceOf(user: number): Promise<number> {
  await world.inFlight.whenIdle(5000)
  return world.balanceOf(user)
}

const lastRow = async () => (await world.logs()).at(-1)
const hi = [{ role: 'user', content: 'hi' }]

interface Client {
  readonly path: string
  readonly headers?: Record<string, string>
  body(model: string): object
  /** How its dialect reports that a response reached its limit, and how it ends. */
  readonly ending: RegExp
}

const clients: Record<string, Client> = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: (model) => ({ model, messages: hi, stream: true, stream_options: { include_usage: true } }),
    ending: /"finish_reason":"length"[^]*"usage":\{[^]*data: \[DONE\]\n\n$/,
  },
  responses: {
    path: '/v1/responses',
    body: (model) => ({ model, input: 'hi', stream: true }),
    ending: /event: response\.incomplete\n[^]*"reason":"max_output_tokens"[^\n]*\n\n$/,
  },
  messages: {
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: (model) => ({ model, max_tokens: 300, messages: hi, stream: true }),
    ending: /event: message_delta\n[^\n]*"stop_reason":"max_tokens"[^]*event: message_stop\n[^\n]*\n\n$/,
  },
  gemini: {
    path: '/v1beta/models/MODEL:streamGenerateContent?alt=sse',
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
    ending: /"finishReason":"MAX_TOKENS"[^\n]*\s+$/,
  },
}

/** Each with a balance that some hundred tokens use up. */
const models = [
  ['gpt-4o', 2500],
  ['claude-3-5-haiku-20241022', 1000],
  ['gemini-2.0-flash', 250],
] as const

const stream = (client: Client, model: string, key: string, signal?: AbortSignal) =>
  world.post(client.path.replace('MODEL', model), client.body(model), { key, headers: client.headers, signal })

describe.each(Object.entries(clients))('a stream of %s that outgrows its balance', (_name, client) => {
  test.each(models)(
    'a stream that outgrows its balance ends as if it had reached its limit, stops %s, and is charged for what arrived',
    async (model, funds) => {
      const { userId: user, key } = await world.addPayer(funds)
      world.simulator.next({ text: longText, gapMs: 1 })
      const response = await stream(client, model, key)
      expect(response.status).toBe(200)
      const text = await response.text()
      expect(text).toMatch(client.ending)
      expect(text).toContain('quick')
      expect(await (await world.simulator.arrival(1)).ended).toBe('aborted')
      const balance = await balanceOf(user)
      expect(balance).toBeGreaterThanOrEqual(-30)
      const row = await lastRow()
      expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ ending: 'out-of-quota' })
      expect(row?.quota).toBe(funds - balance)
      // Most of the balance bought something.
      expect(row?.quota).toBeGreaterThan(funds / 3)
    },
  )
})

describe('a stream', () => {
  test('a stream that the balance can pay goes on past the first hold, and passes unchanged', async () => {
    const text = sentence.repeat(1500)
    const { userId: user, key } = await world.addPayer(300_000)
    world.simulator.next({ text })
    const response = await world.chat({ stream: true, max_tokens: 100 }, { key })
    const events = (await response.text()).split('\n\n')
    const streamedText = events.flatMap((event) => [/"content":"([^"]*)"/.exec(event)?.[1] ?? '']).join('')
    expect(streamedText.trim()).toBe(text.trim())
    expect(events.at(-2)).toBe('data: [DONE]')
    const row = await lastRow()
    expect(JSON.parse(row?.other ?? '{}')).not.toHaveProperty('ending')
    expect(row?.quota).toBe(300_000 - (await balanceOf(user)))
  })

  test('a stream of a key with its own quota ends at that quota', async () => {
    const { userId: user, key } = await world.addPayer(10_000_000, 2500)
    world.simulator.next({ text: longText })
    expect(await (await world.chat({ stream: true }, { key })).text()).toContain('"finish_reason":"length"')
    expect(await balanceOf(user)).toBeGreaterThan(10_000_000 - 2530)
  })

  test('a stream ends when its prompt turns out to cost more than the balance', async () => {
    const { userId: user, key } = await world.addPayer(2500)
    world.simulator.next({ promptTokens: 100_000, text: longText })
    const response = await stream(clients['messages'] as Client, 'claude-3-5-haiku-20241022', key)
    const text = await response.text()
    expect(text).toContain('"stop_reason":"max_tokens"')
    expect(text.length).toBeLessThan(20_000)
    // The prompt was estimated: what it really cost is owed.
    expect(await balanceOf(user)).toBeLessThan(0)
  })

  test.each(['chat completions', 'gemini'])(
    'thoughts that are counted and not shown use up the balance of a stream of %s',
    async (name) => {
      const { userId: user, key } = await world.addPayer(2000)
      const events = Array.from({ length: 400 }, (_, index) => {
        const counts = { candidatesTokenCount: index, thoughtsTokenCount: 300 * (index + 1) }
        const response = {
          candidates: [{ content: { parts: [{ text: 'word ' }], role: 'model' }, index: 0 }],
          usageMetadata: { promptTokenCount: 7, ...counts, totalTokenCount: 307 + 301 * index },
        }
        return `data: ${JSON.stringify(response)}\r\n\r\n`
      })
      world.simulator.next({ fault: { kind: 'body', contentType: 'text/event-stream', text: events.join('') } })
      const client = clients[name] as Client
      expect(await (await stream(client, 'gemini-2.0-flash', key)).text()).toMatch(client.ending)
      // An event costs 120, and a kilobyte has five of them.
      expect(await balanceOf(user)).toBeGreaterThan(-5 * 120)
    },
  )

  test('an impossible usage does not end a stream', async () => {
    const { key } = await world.addPayer(100_000)
    world.simulator.next({
      text: sentence.repeat(100),
      usage: 'every-chunk',
      usageOverride: { prompt_tokens: 5e8, completion_tokens: 5e8 },
    })
    expect(await (await world.chat({ stream: true }, { key })).text()).toContain('"finish_reason":"stop"')
  })

  test('any number of simultaneous streams share a balance and end when it is used up', async () => {
    const { userId: user, key } = await world.addPayer(20_000)
    world.simulator.when(() => true, { text: longText })
    const texts = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await world.chat({ stream: true }, { key })
        const text = await response.text()
        return response.status === 200 ? text : null
      }),
    )
    const served = texts.filter((text) => text !== null)
    expect(served.length).toBeGreaterThan(3)
    for (const text of served) expect(text).toMatch(/"finish_reason":"length"[^]*data: \[DONE\]\n\n$/)
    // One event of each.
    expect(await balanceOf(user)).toBeGreaterThanOrEqual(-30 * served.length)
  })

  test('a stream at a fixed price is not budgeted', async () => {
    await world.setOptions({ ModelPrice: '{"gpt-4o":0.01}' })
    const { userId: user, key } = await world.addPayer(5000)
    world.simulator.next({ text: longText })
    const text = await (await world.chat({ stream: true }, { key })).text()
    expect(text).toContain('"finish_reason":"stop"')
    expect(await balanceOf(user)).toBe(0)
    await world.setOptions({ ModelPrice: '{}' })
  })
})

/** The shortest event of a response costs at most this much, and each stream may have received one too many. */
const oneEvent = 60

describe('any mix of simultaneous calls', () => {
  const call = fc.record({
    isStream: fc.boolean(),
    maxTokens: fc.option(fc.integer({ min: 1, max: 3000 })),
    choices: fc.constantFrom(1, 1, 1, 3),
    model: fc.constantFrom('gpt-4o', 'gemini-2.0-flash', claude, 'gpt-5.6', 'gpt-audio'),
    words: fc.integer({ min: 1, max: 6000 }),
    /** Words of the prompt, all of which are written to the cache: those that are marked, or those the vendor chooses. */
    prompt: fc.integer({ min: 1, max: 3000 }),
    cached: fc.constantFrom(null, '5m', '1h'),
    isSpoken: fc.boolean(),
  })
  type CallCase = typeof call extends fc.Arbitrary<infer Value> ? Value : never

  /** Anthropic writes all that is marked, OpenAI as much as it chooses. */
  function writtenToCache(model: string, cached: CallCase['cached'], words: number): Behaviour {
    if (model === 'gpt-5.6') return { cacheWriteTokens: words }
    if (model !== claude || cached === null) return {}
    return cached === '1h' ? { cacheWriteHourTokens: words } : { cacheWriteTokens: words }
  }

  let callCount = 0
  async function runCall(
    key: string,
    { isStream, maxTokens, choices, model, words, prompt, cached, isSpoken }: CallCase,
  ) {
    // Streams ignore their limit, responses in one piece keep to it; speech is limited by its tokens.
    const name = `asked-${(callCount += 1)}`
    const speaks = model === 'gpt-audio' && isSpoken
    const isLong = isStream && !speaks
    const behaviour: Behaviour = {
      ...(isLong ? { text: 'word '.repeat(words) } : { tokens: words }),
      ...writtenToCache(model, cached, prompt),
      ...(speaks && { completionAudioTokens: Math.min(words, maxTokens ?? words) }),
    }
    using _ = { [Symbol.dispose]: world.simulator.when(({ body }) => body.includes(`"${name}`), behaviour) }
    const text = `${name} ${'word '.repeat(prompt)}`
    const mark = model === claude && cached !== null ? { cache_control: { type: 'ephemeral', ttl: cached } } : {}
    const limit = maxTokens === null ? {} : { max_tokens: maxTokens }
    const n = model === 'gpt-4o' && !isStream ? { n: choices } : {}
    const messages = [{ role: 'user', content: [{ type: 'text', text, ...mark }] }]
    const spoken = speaks ? { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' } } : {}
    const response = await world.chat({ model, messages, stream: isStream, ...limit, ...n, ...spoken }, { key })
    return { status: response.status, text: await response.text() }
  }

  test('no balance ends below zero by more than one event per stream', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40_000 }),
        fc.option(fc.integer({ min: 0, max: 40_000 })),
        fc.array(call, { minLength: 1, maxLength: 12 }),
        async (funds, keyFunds, calls) => {
          const { userId: user, key } = await world.addPayer(funds, keyFunds ?? undefined)
          const results = await Promise.all(calls.map((one) => runCall(key, one)))
          for (const { status, text } of results) {
            expect([200, 403]).toContain(status)
            if (status === 200) expect(text).toMatch(/"finish_reason":"(?:stop|length)"/)
          }
          const streams = calls.filter(({ isStream }, index) => isStream && results[index]?.status === 200).length
          const balance = await balanceOf(user)
          expect(balance).toBeGreaterThanOrEqual(-oneEvent * streams)
          if (keyFunds !== null) expect(funds - balance).toBeLessThanOrEqual(keyFunds + oneEvent * streams)
        },
      ),
      { numRuns: 6 },
    )
  }, 120_000)
})

test('an event that tells its usage is read whole, and the usage is looked at within the next kilobyte', () => {
  const price = pricesWith({ ModelRatio: { plain: 1 } }).priceOf('plain', { group: 'default', userGroup: 'default' })
  if (!price) throw new Error('No price')
  const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 }
  const tap = { counter: { counted: 2 }, events: 1, isFinished: false, textBytes: 3, usage: { ...noUsage, ...usage } }
  const budget = StreamBudget.of({
    ledger: { extend: () => 0 },
    reservation: {
      requestId: 'a',
      payer: { userId: 1, tokenId: 1, isTokenLimited: false },
      amount: 1_000_000,
      spendable: null,
    },
    price: price.pin({ unixMs: 0 }),
    promptTokens: 1,
    tap,
    isPossible: () => true,
  })
  expect(budget?.check()).toBe('go-on')
  expect(budget?.took(1000)).toBe(false)
  expect(budget?.readable).toBe(1024)
  expect(budget?.took(400)).toBe(true)
})
