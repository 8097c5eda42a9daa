import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking } from '../test/asking'

const { simulator, send } = await asking({ 'x-goog-api-key': 'AIza-not-a-real-key' })
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const path = '/v1beta2/models/chat-bison-001:generateMessage'
const messages = [{ author: '0', content: 'hello there' }]

test('a response repeats the conversation and reports no usage', async () => {
  simulator.next({ tokens: 4 })
  const { status, json } = await send(path, { prompt: { messages } })
  expect([status, json]).toEqual([200, { candidates: [{ author: '1', content: 'the quick brown fox' }], messages }])
})

test('a request without messages is refused in Google’s words', async () => {
  const { status, json } = await send(path, { prompt: {} })
  expect([status, json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
})
