import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { eventually } from '../../../test/eventually'
import { WallClock } from '../../../test/fake-time'
import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../test/relay-world'
import { aWindow, periodsOf } from '../../../test/windows'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { fingerprintOf } from '../../channels/catalog/channel-keys'
import { ownMetrics, serveMetrics } from '../../platform/telemetry/metrics/metrics-route'
import type { WindowRow } from '../../platform/store/tables'

const clock = new WallClock(Date.parse('2026-03-01T12:00:10Z'))
let world: RelayWorld
/** The first channel, which every test makes anew, and its windows. */
let first: { readonly id: number; readonly windows: readonly LimitWindow[] }
let seen = 0

beforeAll(async () => {
  world = await createRelayWorld({ clock })
  await world.setOptions({ RetryTimes: '2' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.simulator.reset()
  world.forgetHealth()
  clock.jump(3600_000)
  seen = 0
})
afterEach(async () => {
  await world.ctx.database.query.deleteFrom('windows').execute()
  await world.changeChannel(first.id, { status: 2 })
})

const limited = 'sk-limited-0123456789'
const second = 'sk-second-0123456789'

type Columns = Partial<Omit<WindowRow, 'id'>>

/** Adds a channel before the usual one, limited by these windows. */
async function withWindows(windows: readonly Columns[], keys: readonly string[] = [limited]): Promise<void> {
  const { ctx } = world
  const id = await world.addChannel({ priority: 5, key_sealed: ctx.seal.seal(keys.join(',')) })
  const windowsOfChannel: LimitWindow[] = []
  for (const columns of windows)
    windowsOfChannel.push(await aWindow(ctx.database, id, { owner: 'channel', span: 'minute', ...columns }))
  await ctx.catalog.rebuild()
  first = { id, windows: windowsOfChannel }
}

const refOf = (id: number, key: string) => `${id}:${fingerprintOf(key)}`

async function limitKey(key: string, columns: Columns): Promise<LimitWindow> {
  const window = await aWindow(world.ctx.database, first.id, {
    owner: 'channel_key',
    ref: refOf(first.id, key),
    span: 'minute',
    ...columns,
  })
  await world.ctx.catalog.rebuild()
  return window
}

/** Returns the keys used since the previous call of this function. */
function takeUsedKeys(): string[] {
  const keys = world.simulator.requests.slice(seen).map(({ apiKey }) => apiKey ?? '')
  seen += keys.length
  return keys
}

async function callTimes(count: number, body: object = {}): Promise<string[]> {
  for (let call = 0; call < count; call += 1) expect((await world.chat(body)).status).toBe(200)
  return takeUsedKeys()
}

const readUsed = async (): Promise<number[]> => {
  await world.ctx.ledger.waitUntilApplied()
  const periods = await Promise.all(first.windows.map((window) => periodsOf(world.ctx.database, window)))
  return periods.map((found) => found.reduce((sum, { used }) => sum + used, 0))
}

/** Holds streams of the limited channel after their first words until told. */
function holdStreams() {
  const opened = Promise.withResolvers<void>()
  world.simulator.when(({ apiKey }) => apiKey === limited, {
    gate: (frame) => (frame < 3 ? undefined : opened.promise),
  })
  return opened.resolve
}

describe('a channel with a window', () => {
  test('a channel with two calls a minute is passed over from the third on, and serves again in the next minute', async () => {
    await withWindows([{ limit_amount: 2 }])
    expect(await callTimes(4)).toEqual([limited, limited, upstreamKey, upstreamKey])
    clock.jump(60_000)
    expect(await callTimes(3)).toEqual([limited, limited, upstreamKey])
    expect(await readUsed()).toEqual([4])
    const request = new Request('http://gateway/metrics', { headers: { authorization: 'Bearer secret' } })
    const metrics = await serveMetrics(request, { metricsToken: 'secret', all: ownMetrics(world.ctx.metrics) })
    expect(await metrics.text()).toContain(`tollgate_channel_window_skips_total{channel="${first.id}"} 3`)
  })

  test('a failed attempt draws nothing, and the next call finds the whole window', async () => {
    await withWindows([{ limit_amount: 1 }, { measure: 'concurrent', span: 'always', limit_amount: 1 }])
    world.simulator.when(({ apiKey }) => apiKey === limited, { fault: { kind: 'status', status: 500, body: '{}' } })
    expect(await callTimes(1)).toEqual([limited, upstreamKey])
    expect(await readUsed()).toEqual([0, 0])
    world.simulator.reset()
    world.forgetHealth()
    seen = 0
    expect(await callTimes(2)).toEqual([limited, upstreamKey])
    expect(await readUsed()).toEqual([1, 0])
  })

  test('a key whose window is full is passed over for the next key of its channel', async () => {
    await withWindows([], [limited, second])
    await limitKey(limited, { limit_amount: 1 })
    await limitKey(second, { limit_amount: 2 })
    expect((await callTimes(4)).toSorted()).toEqual([limited, second, second, upstreamKey].toSorted())
  })

  test('a stream counts as a call at the same time until it ends, or its client has left', async () => {
    await withWindows([{ measure: 'concurrent', span: 'always', limit_amount: 1 }])
    const release = holdStreams()
    const open = await world.chat({ stream: true })
    expect(await callTimes(1)).toEqual([limited, upstreamKey])
    release()
    await open.text()
    expect(await callTimes(1)).toEqual([limited])
    holdStreams()
    const leaving = new AbortController()
    const left = await world.chat({ stream: true }, { signal: leaving.signal })
    expect(await callTimes(1)).toEqual([limited, upstreamKey])
    leaving.abort()
    await left.text().catch(() => {})
    await eventually(async () => world.ctx.ledger.stats().windowsInUse === 0 || null)
    world.simulator.reset()
    seen = 0
    expect(await callTimes(1)).toEqual([limited])
  })

  test('a window of tokens is drawn from for what a whole answer used, and a stream whose client left', async () => {
    await withWindows([
      { measure: 'tokens', limit_amount: 100_000 },
      { measure: 'requests', limit_amount: 100 },
    ])
    const whole = await (await world.chat()).json()
    expect(await readUsed()).toEqual([whole.usage.total_tokens, 1])
    const release = holdStreams()
    const leaving = new AbortController()
    const { userId, key } = await world.addPayer(1e9)
    const left = await world.chat({ stream: true }, { signal: leaving.signal, key })
    leaving.abort()
    await left.text().catch(() => {})
    release()
    const [row] = await world.chargesOf(userId, 1)
    expect(await readUsed()).toEqual([
      whole.usage.total_tokens + (row?.prompt_tokens ?? 0) + (row?.completion_tokens ?? 0),
      2,
    ])
  })

  test('a call whose prompt is longer than what is left of the tokens goes on alone, and shorter ones are served', async () => {
    await withWindows([{ measure: 'prompt_tokens', limit_amount: 60 }])
    const long = { messages: [{ role: 'user', content: 'word '.repeat(400) }] }
    expect(await callTimes(1, long)).toEqual([upstreamKey])
    clock.jump(60_000)
    expect(await callTimes(1)).toEqual([limited])
  })

  test('a window of quota is drawn from for what the vendor charges, not for what the caller pays', async () => {
    await withWindows([{ measure: 'quota', limit_amount: 1900, span: 'day' }])
    await world.ctx.database.query
      .insertInto('price_entries')
      .values({
        channel_id: first.id,
        model: 'gpt-4o',
        entry: JSON.stringify({ prices: { input: 100, output: 100 } }),
        updated_at: 1,
        updated_by: 'root',
        source: 'own',
      })
      .execute()
    await world.ctx.catalog.rebuild()
    const { userId, key } = await world.addPayer(1e9)
    expect((await world.chat({ max_tokens: 50 }, { key })).status).toBe(200)
    const [row] = await world.chargesOf(userId, 1)
    // A hundred dollars a million tokens, half a million quota a dollar.
    const cost = ((row?.prompt_tokens ?? 0) + (row?.completion_tokens ?? 0)) * 50
    expect(row?.quota).not.toBe(cost)
    expect(await readUsed()).toEqual([cost])
    takeUsedKeys()
    let used = cost
    while (used < 10_000 && (await callTimes(1, { max_tokens: 50 }))[0] === limited) used += cost
    expect(await readUsed()).toEqual([used])
    // The last one held what was left, and used more.
    expect(used).toBeWithin(1900 - 2 * cost, 1900 + cost)
  })

  test('a window of quota is left alone where the cost is not known', async () => {
    await withWindows([{ measure: 'quota', limit_amount: 1 }])
    await world.changeChannel(first.id, { models: 'own-model' })
    await world.setOptions({ ModelRatio: JSON.stringify({ 'own-model': 1 }) })
    expect(await callTimes(3, { model: 'own-model' })).toEqual([limited, limited, limited])
    expect(await readUsed()).toEqual([0])
  })
})

describe('when every channel is full', () => {
  test('a call is refused until the first of them begins anew', async () => {
    await withWindows([{ limit_amount: 1, span: 'day' }], [limited, second])
    await world.changeChannel(first.id, { models: 'only-here' })
    await world.setOptions({ ModelRatio: JSON.stringify({ 'only-here': 1 }) })
    await limitKey(second, { limit_amount: 100 })
    await withSecondChannel({ limit_amount: 1, span: 'minute' }, async () => {
      const call = () => world.chat({ model: 'only-here' })
      expect([(await call()).status, (await call()).status]).toEqual([200, 200])
      const refused = await call()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, String(60 - (clock.seconds() % 60))])
      expect(await refused.json()).toMatchObject({ error: { code: 'route.busy' } })
      expect(takeUsedKeys()).toHaveLength(2)
      clock.jump(60_000)
      expect([(await call()).status, (await call()).status]).toEqual([200, 503])
    })
  })

  test('calls in parallel are never more than the windows have', async () => {
    await withWindows([{ limit_amount: 7 }])
    await world.changeChannel(first.id, { models: 'only-here' })
    await world.setOptions({ ModelRatio: JSON.stringify({ 'only-here': 1 }) })
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await world.chat({ model: 'only-here' })).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(7)
    expect(statuses.filter((status) => status === 503)).toHaveLength(23)
    expect(await readUsed()).toEqual([7])
  })

  test('calls wait for a place among those at the same time, in the order in which they came', async () => {
    await withWindows([{ measure: 'concurrent', span: 'always', limit_amount: 1 }])
    await world.changeChannel(first.id, { models: 'only-here', setting: JSON.stringify({ max_waiting: 3 }) })
    await world.setOptions({ ModelRatio: JSON.stringify({ 'only-here': 1 }) })
    const release = holdStreams()
    const open = await world.chat({ model: 'only-here', stream: true })
    const served: string[] = []
    const call = async (name: string, signal?: AbortSignal) => {
      const { waiting } = world.ctx.health.windowLines
      const messages = [{ role: 'user', content: name }]
      const pending = world.chat({ model: 'only-here', messages }, { signal }).then(({ status }) => {
        served.push(name)
        return status
      })
      await eventually(async () => world.ctx.health.windowLines.waiting > waiting || null)
      return pending
    }
    const leaving = new AbortController()
    const calls = [call('first'), call('second')]
    await eventually(async () => world.ctx.health.windowLines.waiting === 2 || null)
    const left = call('left', leaving.signal).catch(() => 'left')
    await eventually(async () => world.ctx.health.windowLines.waiting === 3 || null)
    const refused = await world.chat({ model: 'only-here' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    leaving.abort()
    expect(await left).toBe('left')
    await eventually(async () => world.ctx.health.windowLines.waiting === 2 || null)
    expect(served).toEqual([])
    release()
    await open.text()
    expect(await Promise.all(calls)).toEqual([200, 200])
    expect(served).toEqual(['first', 'second'])
    expect(world.ctx.health.windowLines.waiting).toBe(0)
    expect(await readUsed()).toEqual([0])
  })

  async function withSecondChannel(columns: Columns, run: () => Promise<void>): Promise<void> {
    const { ctx } = world
    const id = await world.addChannel({ priority: 1, models: 'only-here' })
    await aWindow(ctx.database, id, { owner: 'channel', ...columns })
    await ctx.catalog.rebuild()
    try {
      await run()
    } finally {
      await world.changeChannel(id, { status: 2 })
    }
  }
})
