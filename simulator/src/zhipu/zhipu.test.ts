import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking } from '../test/asking'

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const authorization = `${part({ alg: 'HS256', sign_type: 'SIGN' })}.${part({ api_key: 'an-id' })}.signature`
const { simulator, send } = await asking({ authorization })
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const at = '/api/paas/v3/model-api/chatglm_turbo'
const body = { prompt: [{ role: 'user', content: 'hello there' }] }

test('a whole answer is the JSON text of its text', async () => {
  simulator.next({ tokens: 2 })
  const { json } = await send(`${at}/invoke`, body)
  expect(json).toMatchObject({ success: true, data: { choices: [{ role: 'assistant', content: '"the quick"' }] } })
  expect(simulator.requests[0]).toMatchObject({ model: 'chatglm_turbo', counted: { completionTokens: 2 } })
})

test('a stream has its text as data and its usage as meta', async () => {
  simulator.next({ tokens: 2 })
  const { text } = await send(`${at}/sse-invoke`, body)
  expect(text).toStartWith(
    'event:add\nid:1\ndata:the\n\nevent:add\nid:1\ndata: quick\n\nevent:finish\nid:1\ndata:\nmeta:{',
  )
})

test('a key in place of a signed token is refused', async () => {
  expect(await send(`${at}/invoke`, body, { authorization: 'an-id.a-secret' })).toMatchObject({
    status: 401,
    json: { success: false },
  })
})
