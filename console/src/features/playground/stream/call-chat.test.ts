import { beforeEach, expect, test } from 'bun:test'

import { aUser } from '../../../../test/factories'
import { serve } from '../../../../test/server'
import { storedUser } from '../../../lib/api/session'
import type { Arrived } from '../session/grow-answer'
import type { Facts } from '../session/reducer'
import type { ChatBody } from '../session/request-body'
import { callChat } from './call-chat'
import { ChatError } from './post-as-user'

const body: ChatBody = {
  model: 'kite-1',
  group: 'default',
  messages: [],
  stream: true,
  stream_options: { include_usage: true },
}

beforeEach(() => storedUser.set(aUser()))

async function call(answer: Response) {
  const calls = serve({ 'POST /pg/chat/completions': () => answer })
  const arrived: Arrived[] = []
  const frames: string[] = []
  let facts: Facts = {}
  const events = {
    onDecision: () => {},
    onFrame: (data: string) => void frames.push(data),
    onArrived: (piece: Arrived) => void arrived.push(piece),
    onFacts: (more: Facts) => {
      facts = { ...facts, ...more }
    },
  }
  const failure = await callChat(body, events, new AbortController().signal).then(
    () => undefined,
    (error: unknown) => (error instanceof ChatError ? error.failure : error),
  )
  const text = arrived.map(({ content }) => content).join('')
  return { calls, frames, text, reasoning: arrived.map(({ reasoning }) => reasoning).join(''), arrived, facts, failure }
}

const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'X-Request-Id': 'req-1' }
const streamOf = (...frames: readonly unknown[]) =>
  new Response(
    frames.map((frame) => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`).join(''),
    { headers },
  )
const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
})

test('a stream reports its chunks, usage and request id', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } }
  const { calls, text, reasoning, facts, failure } = await call(
    streamOf(
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'H' }),
      delta({ reasoning: 'm' }),
      delta({ content: 'Yes' }),
      delta({}, 'stop'),
      { choices: [], usage },
      '[DONE]',
    ),
  )
  expect({ text, reasoning, failure }).toEqual({ text: 'Yes', reasoning: 'Hm', failure: undefined })
  expect(facts).toEqual({
    requestId: 'req-1',
    finishReason: 'stop',
    usage: { promptTokens: 9, completionTokens: 2, cachedTokens: 4, reasoningTokens: 0 },
  })
  expect(calls[0]?.body).toEqual(body)
})

test('content in parts with images and reasoning is read', async () => {
  const url = 'data:image/png;base64,AA=='
  const { text, reasoning, arrived } = await call(
    streamOf(
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
      delta({
        content: [
          { type: 'text', text: 'See ' },
          { type: 'image_url', image_url: { url } },
        ],
      }),
      delta({ content: 'it', images: [{ type: 'image_url', image_url: { url } }] }),
      '[DONE]',
    ),
  )
  expect({ text, reasoning }).toEqual({ text: 'See it', reasoning: 'Hm' })
  expect(arrived.flatMap(({ images }) => images)).toEqual([url, url])
})

test('unknown frames are ignored and stay in the raw data', async () => {
  const { text, frames, failure } = await call(
    streamOf('{oops', 'null', [1], delta({ content: 7 }), delta({ content: 'ok' }), '[DONE]'),
  )
  expect({ text, failure }).toEqual({ text: 'ok', failure: undefined })
  expect(frames[0]).toBe('{oops')
})

test('an error in the stream ends it with its message', async () => {
  const { text, failure } = await call(
    streamOf(delta({ content: 'Half' }), { error: { message: 'Gone', code: 'upstream.failed' } }),
  )
  expect(text).toBe('Half')
  expect(failure).toEqual({
    kind: 'refused',
    status: 200,
    requestId: 'req-1',
    message: 'Gone',
    code: 'upstream.failed',
  })
})

test.each([
  ['neither end nor reason', streamOf(delta({ content: 'Half' })), 'broken-off'],
  ['a reason but no end', streamOf(delta({ content: 'All' }, 'stop')), undefined],
  [
    'a page instead of an answer',
    new Response('<title>Proxy</title>', { headers: { 'content-type': 'text/html' } }),
    'malformed',
  ],
  ['a failure without words', new Response('', { status: 502 }), 'malformed'],
])('%s', async (_, answer, kind) => {
  expect((await call(answer)).failure).toEqual(kind ? expect.objectContaining({ kind }) : undefined)
})

test('a refusal has its message, code and request id', async () => {
  const answer = Response.json(
    { error: { message: 'No channel', code: 'model_not_found' } },
    { status: 503, headers: { 'X-Request-Id': 'req-2' } },
  )
  expect((await call(answer)).failure).toEqual({
    kind: 'refused',
    status: 503,
    code: 'model_not_found',
    message: 'No channel',
    requestId: 'req-2',
  })
})

test('a response in one piece is read', async () => {
  const { text, facts } = await call(
    Response.json({
      choices: [{ message: { content: 'Whole' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    }),
  )
  expect(text).toBe('Whole')
  expect(facts.finishReason).toBe('stop')
})

test('an expired session signs the page out, an upstream’s refusal of its key does not', async () => {
  const refusalOf = (code: string) => Response.json({ error: { message: 'x', code } }, { status: 401 })
  expect((await call(refusalOf('invalid_api_key'))).failure).toMatchObject({ kind: 'refused' })
  expect(storedUser.get()).not.toBeNull()
  expect((await call(refusalOf('auth.required'))).failure).toMatchObject({ kind: 'signed-out' })
  expect(storedUser.get()).toBeNull()
})
