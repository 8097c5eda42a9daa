import { afterAll, beforeAll, beforeEach, expect, test, setDefaultTimeout } from 'bun:test'

import { channelRoutes, channelStatus, logRoutes, logType, accountRoutes } from '@tollgate/contract'
import type { Behaviour } from '@tollgate/simulator'

import { call, eventsIn } from './call'
import { quotaByCall, quotaByTokens, type Priced, type Used } from './formula'
import { chargeOf, chargesOf, until } from './ledger-view'
import { aWorld, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const prices: Record<string, Priced> = {
  plain: { model: 1.25, completion: 3 },
  cheap: { model: 0.075, completion: 4, cache: 0.5 },
  cached: { model: 2.5, completion: 4, cache: 0.25 },
  pictures: { model: 1.3, completion: 2, cache: 0.5, image: 2.2 },
  spoken: { model: 1.25, completion: 4, audio: 16, audioCompletion: 2 },
  free: { model: 0, completion: 1 },
}
const perCall = 'by-call'
const models = [...Object.keys(prices), perCall]

let world: World
beforeAll(async () => {
  world = await aWorld({
    models,
    options: {
      RetryTimes: 2,
      ModelRatio: ratios((price) => price.model),
      CompletionRatio: ratios((price) => price.completion),
      CacheRatio: ratios((price) => price.cache),
      ImageRatio: ratios((price) => price.image),
      AudioRatio: ratios((price) => price.audio),
      AudioCompletionRatio: ratios((price) => price.audioCompletion),
      ModelPrice: { [perCall]: 0.0123 },
    },
  })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

function ratios(pick: (price: Priced) => number | undefined): Record<string, number> {
  const picked = Object.entries(prices).map(([model, price]) => [model, pick(price)] as const)
  return Object.fromEntries(picked.flatMap(([model, ratio]) => (ratio === undefined ? [] : [[model, ratio]])))
}

const messages = [{ role: 'user', content: 'hello there, how are you?' }]

async function callAndReadRow(model: string, behaviour: Behaviour, stream: boolean) {
  world.simulator.next(behaviour)
  const reply = await call(world.gateway, world.key, { model, messages, stream })
  expect(reply.status).toBe(200)
  return chargeOf(world.console, reply.requestId)
}

interface Case {
  model: string
  used: Used
}

const cases: Case[] = [
  { model: 'plain', used: { prompt: 1, completion: 1 } },
  { model: 'plain', used: { prompt: 1234, completion: 567 } },
  { model: 'cheap', used: { prompt: 1, completion: 1 } },
  { model: 'cheap', used: { prompt: 333, completion: 7, cached: 111 } },
  { model: 'cached', used: { prompt: 1000, completion: 10, cached: 999 } },
  { model: 'cached', used: { prompt: 1001, completion: 3, cached: 1001 } },
  { model: 'pictures', used: { prompt: 800, completion: 20, image: 765 } },
  { model: 'pictures', used: { prompt: 900, completion: 21, image: 501, cached: 99 } },
  { model: 'spoken', used: { prompt: 300, completion: 90, audio: 120, audioOut: 33 } },
  { model: 'free', used: { prompt: 5000, completion: 50 } },
]

for (const stream of [false, true]) {
  for (const { model, used } of cases) {
    test(`a ${stream ? 'streamed' : 'whole'} call of ${model} with ${JSON.stringify(used)} costs what the formula says`, async () => {
      const row = await callAndReadRow(model, behaviourOf(used), stream)
      expect(row).toMatchObject({ prompt_tokens: used.prompt, completion_tokens: used.completion })
      expect(row.quota).toBe(quotaByTokens(prices[model] ?? { model: 0 }, used))
    })
  }

  test(`a ${stream ? 'streamed' : 'whole'} call at a fixed price costs it whatever it used`, async () => {
    expect((await callAndReadRow(perCall, { tokens: 40 }, stream)).quota).toBe(quotaByCall(0.0123))
  })

  test(`a ${stream ? 'streamed' : 'whole'} response without usage is counted by the gateway, marked as an estimate, and costs the formula`, async () => {
    const row = await callAndReadRow('plain', { tokens: 30, usage: 'none' }, stream)
    expect(row.prompt_tokens).toBeGreaterThan(0)
    expect(row.completion_tokens).toBeGreaterThan(20)
    expect(row.quota).toBe(priceOfRow(row))
    expect(row.other).toContain('estimated')
  })
}

function behaviourOf(used: Used): Behaviour {
  return {
    promptTokens: used.prompt,
    tokens: used.completion,
    ...(used.cached === undefined ? {} : { cachedTokens: used.cached }),
    ...(used.image === undefined ? {} : { imageTokens: used.image }),
    ...(used.audio === undefined ? {} : { audioTokens: used.audio }),
    ...(used.audioOut === undefined ? {} : { completionAudioTokens: used.audioOut }),
  }
}

const priceOfRow = (row: { prompt_tokens: number; completion_tokens: number }) =>
  quotaByTokens(prices['plain'] ?? { model: 0 }, { prompt: row.prompt_tokens, completion: row.completion_tokens })

test('the group ratio multiplies the price', async () => {
  await world.console.setOptions({ GroupRatio: { default: 0.35, vip: 1, svip: 1 } })
  try {
    const used = { prompt: 777, completion: 33 }
    const row = await callAndReadRow('plain', behaviourOf(used), false)
    expect(row.quota).toBe(quotaByTokens({ ...prices['plain'], model: 1.25, group: 0.35 }, used))
    expect((await callAndReadRow(perCall, {}, false)).quota).toBe(quotaByCall(0.0123, 0.35))
  } finally {
    await world.console.setOptions({ GroupRatio: { default: 1, vip: 1, svip: 1 } })
  }
})

test('a call that needed two upstreams is charged once, to the one that served it', async () => {
  const failing = await world.console.addChannel({
    name: 'failing',
    base_url: world.simulator.url,
    models: models.join(','),
    key: 'sk-failing',
    priority: 10,
  })
  world.simulator.when((request) => request.apiKey === 'sk-failing', { fault: { kind: 'status', status: 500 } })
  const reply = await call(world.gateway, world.key, { model: 'plain', messages })
  const row = await chargeOf(world.console, reply.requestId)
  expect(world.simulator.requests.map((request) => request.apiKey)).toEqual(['sk-failing', 'sk-upstream'])
  expect(row.channel).toBe(world.channelId)
  expect(row.channel).not.toBe(failing)
  await world.console.call(channelRoutes.updateChannel, { body: { id: failing, status: channelStatus.disabled } })
})

test('an error costs nothing', async () => {
  world.simulator.when(() => true, { fault: { kind: 'status', status: 500 } })
  const before = await balance()
  const reply = await call(world.gateway, world.key, { model: 'plain', messages })
  expect(reply.status).toBeGreaterThanOrEqual(500)
  expect(await chargesOf(world.console, reply.requestId)).toEqual([])
  expect(await balance()).toEqual(before)
})

test('a stream whose client leaves is read to its end and charged once, for its whole usage', async () => {
  world.simulator.next({ tokens: 100, gapMs: 20 })
  const controller = new AbortController()
  const response = await fetch(`${world.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'plain', messages, stream: true }),
    signal: controller.signal,
  })
  const requestId = response.headers.get('x-request-id') ?? ''
  const reader = response.body?.getReader()
  for (let read = 0; read < 5; read += 1) await reader?.read()
  controller.abort()
  const row = await chargeOf(world.console, requestId)
  expect(row.completion_tokens).toBe(100)
  expect(row.quota).toBe(priceOfRow(row))
})

test('a stream that the upstream cuts is charged once, for what arrived', async () => {
  world.simulator.next({ tokens: 50, fault: { kind: 'reset', when: { afterFrames: 20 } } })
  const reply = await call(world.gateway, world.key, { model: 'plain', messages, stream: true })
  const row = await chargeOf(world.console, reply.requestId)
  expect(row.completion_tokens).toBeGreaterThan(0)
  expect(row.completion_tokens).toBeLessThan(50)
  expect(row.quota).toBe(priceOfRow(row))
})

test.each(['duplicate', 'every-chunk', 'last-choice', 'always'] as const)(
  'usage reported %s counts once',
  async (usage) => {
    const row = await callAndReadRow('plain', { tokens: 12, promptTokens: 34, usage }, true)
    expect(row).toMatchObject({ prompt_tokens: 34, completion_tokens: 12, quota: priceOfRow(row) })
  },
)

test.each([
  ['negative', { prompt_tokens: -5, completion_tokens: -7, total_tokens: -12 }],
  ['huge', { prompt_tokens: 1e18, completion_tokens: 1e18 }],
  ['text', { prompt_tokens: '12', completion_tokens: 'many' }],
  ['null', null],
] as const)('a usage that is %s is replaced by the gateway’s own count', async (_name, usageOverride) => {
  for (const stream of [false, true]) {
    const row = await callAndReadRow('plain', { tokens: 12, usageOverride, usage: 'always' }, stream)
    expect(row.prompt_tokens).toBeWithin(1, 100)
    expect(row.completion_tokens).toBeWithin(1, 100)
    expect(row.quota).toBe(priceOfRow(row))
  }
})

test('the sum of all charges equals the change of the balance', async () => {
  const { total } = await until(
    () => logPage(1),
    ({ total }) => total > 0,
  )
  const pages = Array.from({ length: Math.ceil(total / 100) }, (_, index) => index + 1)
  let spent = 0
  for (const page of pages) {
    const { items } = await logPage(page)
    spent += items.reduce((sum, item) => sum + item.quota, 0)
  }
  const { quota, used_quota: used } = await balance()
  expect(used).toBe(spent)
  expect(quota + used).toBe(100_000_000)
})

test('a streamed response asked for its usage reports the charged one', async () => {
  world.simulator.next({ tokens: 9, promptTokens: 21 })
  const body = { model: 'plain', messages, stream: true, stream_options: { include_usage: true } }
  const reply = await call(world.gateway, world.key, body)
  const row = await chargeOf(world.console, reply.requestId)
  expect(eventsIn(reply.text).at(-1)?.['usage']).toMatchObject({
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
  })
})

const balance = () => world.console.call(accountRoutes.getSelf)

const logPage = (page: number) =>
  world.console.call(logRoutes.listLogs, { query: { p: page, page_size: 100, type: logType.consumption } })
