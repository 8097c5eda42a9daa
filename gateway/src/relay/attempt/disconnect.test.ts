import { expect, test } from 'bun:test'

import { eventually } from '../../../test/eventually'
import { FakeTime } from '../../../test/fake-time'
import { createRelayWorld } from '../../../test/relay-world'

const drainTimeoutMs = 60_000
/** Longer than a stream is read on for reasoning that did not arrive. */
const longMs = 20_000

test('a stream whose prompt is stored at the vendor is read to its usage after its client left, however long that takes', async () => {
  const time = new FakeTime()
  await using world = await createRelayWorld({ time: time.parts })
  const model = 'gpt-4.1'
  const channel = await world.addChannel({ type: 1, models: model })
  await world.setOptions({
    ModelRatio: JSON.stringify({ [model]: 1 }),
    VendorObjects: JSON.stringify([{ id: '*', channel }]),
  })
  const hold = Promise.withResolvers<void>()
  world.simulator.next({
    text: 'one two three four',
    promptTokens: 80_000,
    gate: (frame) => (frame < 8 ? undefined : hold.promise),
  })

  const client = new AbortController()
  const body = { model, stream: true, input: 'hello', previous_response_id: 'resp_0' }
  const response = await world.post('/v1/responses', body, { signal: client.signal })
  await response.body?.getReader().read()
  client.abort()
  // Later calls were answered, so the disconnect has arrived as well.
  for (let turn = 0; turn < 3; turn += 1) await (await fetch(`${world.url}/v1/models`)).text()
  await time.untilWaiting(drainTimeoutMs)
  time.advance(longMs)
  hold.resolve()

  const id = response.headers.get('x-request-id')
  const row = await eventually(async () => (await world.logs()).find((logged) => logged.request_id === id))
  expect(row.prompt_tokens).toBe(80_000)
})
