import { expect, test } from 'bun:test'

import { serve } from '../../../test/server'
import type { SnippetDialect } from '../../lib/text/snippets/snippet-request'
import { tryCall, TryError } from './try-call'

const streamOf = (...events: readonly unknown[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream', 'X-Request-Id': 'req-1' },
  })

interface Wire {
  readonly dialect: SnippetDialect
  readonly call: string
  /** Begins, says "Hello" in two pieces with a thought between them, and ends. */
  readonly events: readonly unknown[]
  /** A key that the gateway does not know. */
  readonly refusal: object
}

const wires: readonly Wire[] = [
  {
    dialect: 'openai',
    call: 'POST /v1/chat/completions',
    events: [
      { choices: [{ delta: { role: 'assistant', content: 'Hel' } }] },
      { choices: [{ delta: { reasoning_content: 'Hm' } }] },
      { choices: [{ delta: { content: 'lo' } }] },
      { choices: [], usage: { total_tokens: 2 } },
    ],
    refusal: { error: { message: 'Unknown key', type: 'authentication_error', code: 'invalid_api_key', param: null } },
  },
  {
    dialect: 'responses',
    call: 'POST /v1/responses',
    events: [
      { type: 'response.created', response: { error: null } },
      { type: 'response.output_text.delta', delta: 'Hel' },
      { type: 'response.reasoning_summary_text.delta', delta: 'Hm' },
      { type: 'response.output_text.delta', delta: 'lo' },
      { type: 'response.output_text.done', text: 'Hello' },
    ],
    refusal: { error: { message: 'Unknown key', type: 'authentication_error', code: 'invalid_api_key', param: null } },
  },
  {
    dialect: 'anthropic',
    call: 'POST /v1/messages',
    events: [
      { type: 'message_start', message: { content: [] } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
      { type: 'message_stop' },
    ],
    refusal: { type: 'error', error: { type: 'authentication_error', message: 'Unknown key' } },
  },
  {
    dialect: 'gemini',
    call: 'POST /v1beta/models/big-1:streamGenerateContent',
    events: [
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] } }] },
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Hm', thought: true }, { text: 'lo' }] } }] },
      { candidates: [{ finishReason: 'STOP' }], usageMetadata: { totalTokenCount: 2 } },
    ],
    refusal: { error: { code: 401, message: 'Unknown key', status: 'UNAUTHENTICATED' } },
  },
]

async function callIn(dialect: SnippetDialect) {
  let text = ''
  const onText = (piece: string) => {
    text += piece
  }
  const { signal } = new AbortController()
  const requestId = await tryCall({ apiKey: 'sk-x', model: 'big-1', dialect, question: 'Who?', signal, onText })
  return { text, requestId }
}

test.each(wires)('a call of $dialect is streamed from its own address, and its text is read', async (wire) => {
  const calls = serve({ [wire.call]: () => streamOf(...wire.events) })
  expect(await callIn(wire.dialect)).toEqual({ text: 'Hello', requestId: 'req-1' })
  const [call] = calls
  expect(JSON.stringify(call?.body)).toContain('Who?')
  expect(wire.dialect === 'gemini' ? call?.query : call?.body).toMatchObject(
    wire.dialect === 'gemini' ? { alt: 'sse' } : { model: 'big-1', stream: true },
  )
})

test.each(wires)('a refusal of $dialect has its sentence, and the code that leads to help', async (wire) => {
  serve({ [wire.call]: () => Response.json(wire.refusal, { status: 401 }) })
  const error = await callIn(wire.dialect).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TryError)
  expect(error).toMatchObject({ message: 'Unknown key', status: 401, code: 'invalid_api_key' })
})

test('a stream of Responses that fails is reported, however it says so', async () => {
  for (const event of [
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'It broke' } } },
    { type: 'error', code: 'server_error', message: 'It broke', param: null },
  ]) {
    serve({ 'POST /v1/responses': () => streamOf({ type: 'response.output_text.delta', delta: 'Half' }, event) })
    const error = await callIn('responses').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'It broke', code: 'server_error' })
  }
})
