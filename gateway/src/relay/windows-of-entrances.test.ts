import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { RealtimeUpstream, startVideoVendors, type VideoVendors } from '@tollgate/simulator'

import { eventually } from '../../test/eventually'
import { WallClock } from '../../test/fake-time'
import { connectRealtime, type RealtimeClient } from '../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { aWindow, periodsOf } from '../../test/windows'
import type { LimitWindow } from '../billing/ledger/window/limit-window'
import { pollTasks } from '../tasks/poll-tasks'
import type { WindowRow } from '../platform/store/tables'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

type Columns = Partial<Omit<WindowRow, 'id'>>

/** What a client is told. */
interface Outcome {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A way in for work that outlasts its request. */
interface Entrance {
  /** The second is cheaper. */
  readonly models: readonly [string, string]
  readonly otherKind: string
  readonly url: () => string
  /** Begins work that goes on until `endAll`. */
  readonly begin: (key: string, model: string) => Promise<Outcome>
  readonly endAll: () => Promise<void>
  /** Keys and models that the upstream saw, in order. */
  readonly seenKeys: () => readonly string[]
  readonly seenModels: () => readonly string[]
  /** What is told when no channel has room. */
  readonly full: { readonly status: number; readonly text: RegExp; readonly retryAfter: string | null }
}

const limited = 'sk-limited-0123456789'
const spare = 'sk-spare-0123456789'
const clock = new WallClock(Date.parse('2026-03-01T12:00:10Z'))
const busy = { status: 503, text: /busy/, retryAfter: '1' }

let world: RelayWorld
let videos: VideoVendors
let sessions: RealtimeUpstream
let clients: RealtimeClient[] = []
let gate = Promise.withResolvers<void>()
let received: { readonly key: string; readonly model: string }[] = []
const responses = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    const { model }: { model: string } = JSON.parse(await request.text())
    received.push({ key: keyIn(request.headers), model })
    await gate.promise
    return Response.json({
      id: 'resp_of_the_vendor',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model,
      output: [],
      usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
    })
  },
})
const failing = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json({}, { status: 500 }) })
const urlOf = ({ url }: { readonly url: URL }) => String(url).replace(/\/$/, '')
const keyIn = (headers: Headers) => headers.get('authorization')?.replace('Bearer ', '') ?? ''

beforeAll(async () => {
  videos = startVideoVendors()
  videos.taskBook.usual = 'at-once'
  sessions = RealtimeUpstream.start()
  world = await createRelayWorld({ clock })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await Promise.all([videos[Symbol.asyncDispose](), sessions[Symbol.asyncDispose](), responses.stop(true)])
  await failing.stop(true)
})
beforeEach(() => {
  world.forgetHealth()
  clock.jump(86_400_000)
})

const postJson = async (path: string, body: object, key: string): Promise<Outcome> => {
  const response = await world.post(path, body, { key })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const openTasks = () =>
  world.ctx.database.query
    .selectFrom('tasks')
    .select('id')
    .where('status', 'not in', ['SUCCESS', 'FAILURE', 'CANCEL'])
    .execute()

const entrances: Readonly<Record<string, Entrance>> = {
  'a video': {
    models: ['sora-2-pro', 'sora-2'],
    otherKind: 'gpt-4o-mini',
    url: () => `${videos.url}/openai`,
    begin: (key, model) => postJson('/v1/videos', { model, prompt: 'A fox', seconds: '4' }, key),
    async endAll() {
      while ((await openTasks()).length > 0) {
        clock.jump(60_000)
        await pollTasks(world.ctx, new AbortController().signal)
      }
    },
    seenKeys: () => submissions().map(({ headers }) => keyIn(new Headers(headers))),
    seenModels: () => submissions().map(({ body }) => String(body['model'])),
    full: busy,
  },
  'a response in the background': {
    models: ['gpt-4.1', 'gpt-4.1-mini'],
    otherKind: 'text-embedding-3-small',
    url: () => urlOf(responses),
    async begin(key, model) {
      const before = received.length
      const outcome = await postJson('/v1/responses', { model, input: 'why?', background: true }, key)
      if (outcome.status !== 200) return outcome
      const { id }: { id: string } = JSON.parse(outcome.text)
      const failed = await eventually(async () => {
        if (received.length > before) return 'runs'
        const text = await (await fetch(`${world.url}/v1/responses/${id}`, { headers: bearer(key) })).text()
        return text.includes('"failed"') ? text : null
      })
      return failed === 'runs' ? outcome : { ...outcome, text: failed }
    },
    async endAll() {
      gate.resolve()
      await eventually(async () => (await openTasks()).length === 0 || null)
      gate = Promise.withResolvers<void>()
    },
    seenKeys: () => received.map(({ key }) => key),
    seenModels: () => received.map(({ model }) => model),
    full: { status: 200, text: /"status":"failed"/, retryAfter: null },
  },
  'a session': {
    models: ['gpt-realtime', 'gpt-realtime-mini'],
    otherKind: 'gpt-4o-mini',
    url: () => sessions.url,
    async begin(key, model) {
      try {
        const client = await connectRealtime(world.url, { key, model })
        clients.push(client)
        await client.next('session.created')
        return { status: 101, headers: new Headers(), text: '' }
      } catch {
        const handshake = {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        }
        const response = await fetch(`${world.url}/v1/realtime?model=${model}`, {
          headers: { ...bearer(key), ...handshake },
        })
        return { status: response.status, headers: response.headers, text: await response.text() }
      }
    },
    async endAll() {
      for (const client of clients) client.close()
      clients = []
      await eventually(async () => world.inFlight.count === 0 || null)
    },
    seenKeys: () => sessions.sessions.map(({ headers }) => keyIn(headers)),
    seenModels: () => sessions.sessions.map(({ url }) => url.searchParams.get('model') ?? ''),
    full: busy,
  },
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const submissions = () => videos.requests.filter(({ call }) => call.startsWith('POST'))

describe.each(Object.entries(entrances))('%s', (_, entrance) => {
  const [model, cheaper] = entrance.models
  const opened: number[] = []
  afterEach(async () => {
    await entrance.endAll()
    await world.ctx.database.query.deleteFrom('windows').execute()
    for (const id of opened.splice(0)) await world.changeChannel(id, { status: 2 })
  })

  const addChannel = async (key: string, priority: number, url = entrance.url()) => {
    const row = {
      key_sealed: world.ctx.seal.seal(key),
      priority,
      base_url: url,
      models: entrance.models.join(','),
      setting: '{"max_wait_seconds":0}',
    }
    const id = await world.addChannel(row)
    opened.push(id)
    return id
  }
  const limitChannel = async (id: number, columns: Columns) => {
    const window = await aWindow(world.ctx.database, id, { owner: 'channel', ...columns })
    await world.ctx.catalog.rebuild()
    return window
  }
  const readUsed = async (windows: readonly LimitWindow[]) => {
    await world.ctx.ledger.waitUntilApplied()
    const periods = await Promise.all(windows.map((window) => periodsOf(world.ctx.database, window)))
    return periods.map((found) => found.reduce((sum, { used }) => sum + used, 0))
  }
  const aCaller = async (columns?: Columns) => {
    const userId = await world.addUser(1e9)
    if (columns) await aWindow(world.ctx.database, userId, columns)
    return world.addToken(userId)
  }
  const atOnce = { measure: 'concurrent', span: 'always', limit_amount: 1 } as const

  test('work goes to the next channel where a window of the first is full, and is refused where all are', async () => {
    const [first, second] = [await addChannel(limited, 5), await addChannel(spare, 4)]
    const windows = [await limitChannel(first, atOnce), await limitChannel(first, { limit_amount: 100 })]
    windows.push(await limitChannel(second, atOnce))
    const key = await aCaller()
    const before = entrance.seenKeys().length
    await entrance.begin(key, model)
    await entrance.begin(key, model)
    expect(entrance.seenKeys().slice(before)).toEqual([limited, spare])
    const { status, headers, text } = await entrance.begin(key, model)
    expect(status).toBe(entrance.full.status)
    expect(text).toMatch(entrance.full.text)
    expect(headers.get('retry-after')).toBe(entrance.full.retryAfter)
    expect(entrance.seenKeys()).toHaveLength(before + 2)
    await entrance.endAll()
    const [concurrent, , ofSecond] = await readUsed(windows)
    expect([concurrent, ofSecond]).toEqual([0, 0])
    await entrance.begin(key, model)
    expect(entrance.seenKeys().at(-1)).toBe(limited)
  })

  test('work gives back all that it held of the windows of a channel that failed', async () => {
    const first = await addChannel(limited, 5, urlOf(failing))
    await addChannel(spare, 4)
    const windows = [await limitChannel(first, atOnce), await limitChannel(first, { limit_amount: 2 })]
    windows.push(await limitChannel(first, { measure: 'tokens', limit_amount: 1_000_000 }))
    const key = await aCaller()
    await entrance.begin(key, model)
    expect(entrance.seenKeys().at(-1)).toBe(spare)
    expect(await readUsed(windows)).toEqual([0, 0, 0])
  })

  test('work goes on with the cheaper model of a window that is used up, outside of it', async () => {
    await addChannel(spare, 5)
    const key = await aCaller({ limit_amount: 1, fallback_model: cheaper })
    const before = entrance.seenModels().length
    await entrance.begin(key, model)
    await entrance.begin(key, model)
    expect(entrance.seenModels().slice(before)).toEqual([model, cheaper])
  })

  test('a window whose model is of another kind refuses the work, and says when to come again', async () => {
    await addChannel(spare, 5)
    const key = await aCaller({ limit_amount: 1, fallback_model: entrance.otherKind })
    await entrance.begin(key, model)
    const { status, headers, text } = await entrance.begin(key, model)
    expect([status, headers.get('x-ratelimit-remaining-requests')]).toEqual([429, '0'])
    expect(text).toContain('Daily')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a response by HTTP says what is left of the narrowest window', async () => {
    await addChannel(spare, 5)
    const key = await aCaller({ limit_amount: 7 })
    const { status, headers } = await entrance.begin(key, model)
    expect(headers.get('x-ratelimit-remaining-requests')).toBe(status === 101 ? null : '6')
  })
})
