import { expect, test } from 'bun:test'

import { startFixedUpstream } from './fixed-upstream'

test('a fixed upstream counts what it serves', async () => {
  const upstream = startFixedUpstream({ tokens: 3, promptTokens: 7 })
  const post = (body: string) => fetch(`${upstream.url}/v1/chat/completions`, { method: 'POST', body })
  const whole = await (await post('{"model":"m"}')).json()
  const stream = await (await post('{"model":"m","stream":true}')).text()
  upstream.tokens = 5
  const longer = await (await post('{"model":"m"}')).json()
  await upstream.stop()
  expect(whole.usage).toEqual({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
  expect(stream.match(/^data: /gm)).toHaveLength(upstream.served.frames)
  expect(stream).toEndWith('data: [DONE]\n\n')
  expect(upstream.served).toEqual({ whole: 2, streams: 1, aborted: 0, completionTokens: 11, frames: 7 })
  expect(longer.usage.completion_tokens).toBe(5)
  expect(upstream.inFlight).toBe(0)
})

test('a fixed upstream knows its requests in flight', async () => {
  const upstream = startFixedUpstream({ tokens: 3, gapMs: Number.POSITIVE_INFINITY })
  const response = await fetch(`${upstream.url}/v1/chat/completions`, { method: 'POST', body: '{"stream":true}' })
  expect(upstream.inFlight).toBe(1)
  await response.body?.cancel()
  while (upstream.inFlight > 0) await Bun.sleep(1)
  await upstream.stop()
  expect(upstream.served).toEqual({ whole: 0, streams: 0, aborted: 1, completionTokens: 0, frames: 0 })
})

test.each([
  ['chat completions', '/v1/chat/completions', 'data: {"id":"chatcmpl-sim1"'],
  ['Responses', '/v1/responses', 'event: response.created\n'],
  ['Messages', '/v1/messages', 'event: message_start\n'],
  ['Gemini', '/v1beta/models/m:streamGenerateContent?alt=sse', 'data: {"candidates":'],
])('speaks %s, with a frame for each token', async (_, path, beginning) => {
  const upstream = startFixedUpstream({ tokens: 50 })
  const headers = { 'anthropic-version': '2023-06-01' }
  const requested = {
    model: 'm',
    stream: true,
    max_tokens: 100,
    input: 'x',
    messages: [{ role: 'user', content: 'x' }],
  }
  const body = JSON.stringify({ ...requested, contents: [{ parts: [{ text: 'x' }] }] })
  const response = await fetch(`${upstream.url}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  await upstream.stop()
  expect(text).toStartWith(beginning)
  expect(upstream.served).toMatchObject({ streams: 1, completionTokens: 50 })
  expect(upstream.served.frames).toBeWithin(50, 60)
})
