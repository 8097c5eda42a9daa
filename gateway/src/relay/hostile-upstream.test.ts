import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { faults } from '@tollgate/simulator'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

test('a stream that only swells is left before it fills the memory', async () => {
  world.simulator.next(faults['endless-line'])
  const answer = await world.chat({ stream: true })
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('"upstream.malformed"')])
  const [request] = world.simulator.requests
  expect(await request?.ended).toBe('aborted')
})
