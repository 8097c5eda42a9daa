import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  const base_url = world.simulator.url
  await world.addChannel({ base_url, type: 4, models: 'qwen3:8b,deepseek-r1,priced:8b' })
  await world.addChannel({ base_url, type: 47, models: 'my-model' })
})
afterAll(() => world[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'hello' }]
async function chargeOf(model: string): Promise<[number, number | undefined]> {
  const { userId, key } = await world.addPayer(1_000_000)
  const response = await world.post('/v1/chat/completions', { model, messages }, { key })
  const [row] = response.ok ? await world.chargesOf(userId, 1) : []
  return [response.status, row?.quota]
}

test.each(['qwen3:8b', 'deepseek-r1', 'my-model'])(
  'the model %s of a server of the operator costs nothing',
  async (model) => {
    expect(await chargeOf(model)).toEqual([200, 0])
  },
)

test('a model of a server of the operator costs what the operator set', async () => {
  await world.setOptions({ ModelRatio: '{"priced:8b":5}' })
  const [status, quota] = await chargeOf('priced:8b')
  expect(status).toBe(200)
  expect(quota).toBeGreaterThan(0)
})
