import { afterAll, beforeAll, expect, test } from 'bun:test'

import { faults } from '@tollgate/simulator'

import { eventually } from '../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { readMeasures } from '../billing/analytics/measures/read-measures'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.setOptions({
    ModelRatio: '{"gpt-4o":2}',
    CompletionRatio: '{"gpt-4o":1}',
    CacheRatio: '{"gpt-4o":0.25}',
    RetryTimes: '0',
  })
})
afterAll(() => world[Symbol.asyncDispose]())

test('calls are measured with times, tokens and cache savings whether or not they are logged, and failed attempts with their code', async () => {
  await world.setOptions({ LogConsumeEnabled: 'false' })
  world.simulator.next({ promptTokens: 100, cachedTokens: 80 })
  await (await world.chat()).text()
  world.simulator.next({ promptTokens: 50 })
  await (await world.chat({ stream: true })).text()
  world.simulator.next(faults['status-429'])
  expect((await world.chat()).status).toBe(429)
  await world.ctx.ledger.waitUntilApplied()
  const hours = { from: 0, before: Number.MAX_SAFE_INTEGER }
  // Failed attempts are recorded shortly after the response.
  const total = await eventually(async () => {
    const found = await readMeasures(world.ctx.database.query, { filter: {}, hours })
    return found && found.total.errors.size > 0 ? found.total : null
  })
  expect(total).toMatchObject({ calls: 2, promptTokens: 150, cachedTokens: 80, cacheSaved: 120 })
  expect(total.whole.total).toBe(2)
  expect(total.firstToken.total).toBe(1)
  expect(total.outputMs).toBePositive()
  expect([...total.errors]).toEqual([['upstream.busy', 1]])
  expect(await world.logs()).toEqual([])
})

test('audio that comes as its bytes has no time of a first token, as its log row says', async () => {
  const tokensBefore = await firstTokens()
  const { length: rowsBefore } = await world.logs()
  await world.setOptions({ LogConsumeEnabled: 'true', ModelRatio: '{"gpt-4o":2,"tts-1":7.5}' })
  await world.addChannel({ models: 'tts-1' })
  const response = await world.post('/v1/audio/speech', { model: 'tts-1', input: 'hello', voice: 'alloy' })
  expect(response.headers.get('content-type')).toBe('audio/mpeg')
  await response.arrayBuffer()
  const row = await eventually(async () => (await world.logs()).at(rowsBefore))
  expect(row?.is_stream).toBe(0)
  expect(await firstTokens()).toBe(tokensBefore)
})

async function firstTokens(): Promise<number | undefined> {
  await world.ctx.ledger.waitUntilApplied()
  const hours = { from: 0, before: Number.MAX_SAFE_INTEGER }
  return (await readMeasures(world.ctx.database.query, { filter: {}, hours }))?.total.firstToken.total
}
