import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'
import * as fc from 'fast-check'

import { eachDatabase } from '../../../test/databases'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { systemTimers } from '../../platform/time/timers'
import { createVendorObjects } from '../../channels/vendor-objects/create-vendor-objects'
import { InFlight } from '../in-flight/in-flight'
import { createRelay } from '../relay-app'

/** What reached the vendor: which key named which response. */
const reached: { key: string; id: string }[] = []
let responseCount = 0
let servedBy = ''

const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { previous_response_id: id } = (await request.json()) as JsonObject
    servedBy = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (typeof id === 'string') reached.push({ key: servedBy, id })
    responseCount += 1
    const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }]
    const usage = { input_tokens: 10, output_tokens: 1, total_tokens: 11 }
    return Response.json({ id: `resp_${responseCount}`, object: 'response', status: 'completed', output, usage })
  },
})
afterAll(() => upstream.stop(true))

const keys = ['one', 'two', 'three', 'four'] as const
type Key = (typeof keys)[number]

type Step =
  | { readonly does: 'begin'; readonly user: number; readonly worker: number }
  | { readonly does: 'continue'; readonly user: number; readonly worker: number; readonly which: number }
  | { readonly does: 'remove' | 'restore'; readonly key: Key }

const user = fc.nat(2)
const worker = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('begin' as const), user, worker }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('continue' as const), user, worker, which: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom('remove' as const, 'restore' as const),
      key: fc.constantFrom(...keys),
    }),
  },
)

describe.each(eachDatabase)('whatever users do on two workers (%s)', (kind) => {
  let world: RelayWorld
  let users: readonly string[] = []
  const channels: number[] = []
  const workers: ((body: JsonObject, key: string) => Promise<Response>)[] = []
  let ends: (() => Promise<void>)[] = []
  const rows = (there: ReadonlySet<Key>) =>
    [keys.slice(0, 2), keys.slice(2)].map((row) => row.filter((key) => there.has(key)))

  async function provide(there: ReadonlySet<Key>) {
    for (const [at, row] of rows(there).entries())
      await world.ctx.database.query
        .updateTable('channels')
        .set({ key_sealed: world.ctx.seal.seal(row.join('\n')), status: row.length > 0 ? 1 : 2 })
        .where('id', '=', channels[at] ?? 0)
        .execute()
    await world.ctx.catalog.rebuild()
  }

  beforeAll(async () => {
    world = await createRelayWorld({ kind })
    await world.setOptions({ ResponseTurnsEnabled: 'false' })
    const payers = [await world.addPayer(1e9), await world.addPayer(1e9), await world.addPayer(1e9)]
    users = payers.map(({ key }) => key)
    const base_url = String(upstream.url).replace(/\/$/, '')
    for (let at = 0; at < 2; at += 1) channels.push(await world.addChannel({ base_url, models: 'gpt-4.1' }))
    for (let at = 0; at < 2; at += 1) {
      const vendorObjects = createVendorObjects({ ...world.ctx, onDropped: () => {} })
      const ctx = { ...world.ctx, vendorObjects }
      const inFlight = new InFlight({ ...ctx, timers: systemTimers }, ctx.config.memoryInFlight)
      const relay = createRelay(ctx, { inFlight })
      workers.push((body, key) => {
        const request = new Request('http://worker.test/v1/responses', {
          method: 'POST',
          headers: { authorization: `Bearer ${key}` },
          body: JSON.stringify({ model: 'gpt-4.1', input: 'go on', ...body }),
        })
        return relay.fetch(request, { address: '' })
      })
      ends.push(() => vendorObjects.close())
    }
  }, 120_000)
  afterAll(async () => {
    for (const end of ends) await end()
    ends = []
    await world[Symbol.asyncDispose]()
  })

  test('a response reaches its own account for its own user, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const there = new Set<Key>(keys)
        await provide(there)
        world.forgetHealth()
        const createdResponses: { id: string; user: number; key: string }[] = []
        for (const now of steps) {
          if ('key' in now) {
            if (now.does === 'restore') there.add(now.key)
            else if (there.size > 1) there.delete(now.key)
            await provide(there)
            continue
          }
          const callWorker = workers[now.worker]
          const previous =
            now.does === 'continue' ? createdResponses[now.which % Math.max(1, createdResponses.length)] : undefined
          const before = reached.length
          const response = await callWorker?.(
            previous ? { previous_response_id: previous.id } : {},
            users[now.user] ?? '',
          )
          const isOwn = previous === undefined || (previous.user === now.user && there.has(previous.key as Key))
          expect(response?.status).toBe(isOwn ? 200 : 400)
          expect(reached.slice(before)).toEqual(previous && isOwn ? [{ key: previous.key, id: previous.id }] : [])
          if (isOwn) createdResponses.push({ id: `resp_${responseCount}`, user: now.user, key: servedBy })
        }
      }),
      { numRuns: kind === 'sqlite' ? 6 : 2 },
    )
  }, 120_000)
})
