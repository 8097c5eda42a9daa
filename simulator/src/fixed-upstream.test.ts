import { expect, test } from 'bun:test'

import { startFixedUpstream } from './fixed-upstream'

test('counts what it serves', async () => {
  const upstream = startFixedUpstream({ tokens: 3, promptTokens: 7 })
  const ask = (body: string) => fetch(`${upstream.url}/v1/chat/completions`, { method: 'POST', body })
  const whole = await (await ask('{"model":"m"}')).json()
  const stream = await (await ask('{"model":"m","stream":true}')).text()
  const { framesPerStream } = upstream
  upstream.tokens = 5
  const longer = await (await ask('{"model":"m"}')).json()
  await upstream.stop()
  expect(whole.usage).toEqual({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
  expect(stream.match(/^data: /gm)).toHaveLength(framesPerStream)
  expect(stream).toEndWith('data: [DONE]\n\n')
  expect(upstream.served).toEqual({ whole: 2, streams: 1, aborted: 0, completionTokens: 11 })
  expect(longer.usage.completion_tokens).toBe(5)
  expect(upstream.framesPerStream).toBe(framesPerStream + 2)
  expect(upstream.inFlight).toBe(0)
})

test('knows what is under way', async () => {
  const upstream = startFixedUpstream({ tokens: 3, gapMs: Number.POSITIVE_INFINITY })
  const answer = await fetch(`${upstream.url}/v1/chat/completions`, { method: 'POST', body: '{"stream":true}' })
  expect(upstream.inFlight).toBe(1)
  await answer.body?.cancel()
  while (upstream.inFlight > 0) await Bun.sleep(1)
  await upstream.stop()
  expect(upstream.served).toEqual({ whole: 0, streams: 0, aborted: 1, completionTokens: 0 })
})
