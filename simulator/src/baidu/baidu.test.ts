import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking, schema } from '../test/asking'

const { simulator, send } = await asking({})
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const chat = '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro?access_token=24.an-id'
const messages = [{ role: 'user', content: 'hello there' }]

test('a key with its secret is exchanged for a token that names it', async () => {
  const query = 'grant_type=client_credentials&client_id=an-id&client_secret=a-secret'
  expect((await send(`/oauth/2.0/token?${query}`, {})).json).toMatchObject({
    access_token: '24.an-id',
    expires_in: 2_592_000,
  })
  expect((await send('/oauth/2.0/token?grant_type=client_credentials', {})).status).toBe(401)
})

test('a call without a token fails with status 200', async () => {
  expect(await send(chat.replace(/\?.*/, ''), { messages })).toMatchObject({ status: 200, json: { error_code: 110 } })
})

test('a stream says the same as a whole answer, and the last event its usage', async () => {
  const { json } = await send(chat, { messages })
  expect(json).toMatchObject({
    finish_reason: 'normal',
    usage: { prompt_tokens: 6, completion_tokens: 8, total_tokens: 14 },
  })
  const { events } = await send(chat, { messages, stream: true })
  expect(events.map(({ data }) => data.result).join('')).toBe(json.result)
  expect(events.at(-1)?.data).toMatchObject({ is_end: true, usage: { total_tokens: 14 } })
})

test('a function is called once in an answer', async () => {
  const functions = ['a', 'b'].map((name) => ({ name, parameters: schema }))
  const { json } = await send(chat, { messages, functions })
  expect(json).toMatchObject({ finish_reason: 'function_call', function_call: { name: 'a' } })
})
