import { describe, expect, test } from 'bun:test'

import { gatheredStream } from './gathered'

const gather = (
  dialect: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini',
  text: string,
): unknown => {
  const bytes = gatheredStream(dialect)?.(new TextEncoder().encode(text))
  const answer = new TextDecoder().decode(bytes)
  return answer === '' ? null : JSON.parse(answer)
}
const events = (...list: readonly object[]) => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

describe('gathered streams', () => {
  test('a stream of Responses is gathered into the response in its last event', () => {
    const response = { id: 'resp_1', object: 'response', status: 'completed', output: [] }
    const stream = events({ type: 'response.created', response: {} }, { type: 'response.completed', response })
    expect(gather('openai-responses', stream)).toEqual(response)
  })

  test('a stream of Responses whose last event leaves the items out is gathered from the events before it', () => {
    const last = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } }
    const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }
    const done = { type: 'response.output_item.done', output_index: 0, item }
    expect(gather('openai-responses', events(done, last))).toEqual({ ...last.response, output: [item] })
    const piece = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi' }
    expect(gather('openai-responses', events(piece, last))).toMatchObject({
      id: 'resp_1',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
    })
  })

  test('a stream of Messages is gathered into its blocks and usage', () => {
    const stream = events(
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude',
          content: [],
          usage: { input_tokens: 3, output_tokens: 1 },
        },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"place":' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"harbour"}' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    )
    expect(gather('anthropic-messages', stream)).toMatchObject({
      id: 'msg_1',
      model: 'claude',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { place: 'harbour' } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 9 },
    })
  })

  test('a stream of Google’s dialect is gathered into the text of all chunks', () => {
    const piece = (text: string, more = {}) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }],
    })
    const stream = events(piece('In '), piece('January.', { finishReason: 'STOP' }))
    expect(gather('gemini', stream)).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'In January.' }] }, finishReason: 'STOP' }],
    })
  })

  test('a response in one piece stays as it is', () => {
    expect(gather('openai-chat', '{"object":"chat.completion"}')).toEqual({ object: 'chat.completion' })
  })

  test('a stream that reports a failure becomes the failure', () => {
    const error = { message: 'Overloaded', type: 'server_error', code: 'overloaded' }
    expect(gather('openai-chat', events({ error }))).toMatchObject({ error: { message: 'Overloaded' } })
    expect(gather('openai-responses', events({ type: 'error', error }))).toMatchObject({ error })
  })

  test('a stream that breaks off leaves nothing', () => {
    const cut = { choices: [{ index: 0, delta: { content: 'In ' }, finish_reason: null }] }
    expect(gather('openai-chat', events(cut))).toBeNull()
    expect(gather('openai-responses', events({ type: 'response.created', response: {} }))).toBeNull()
  })
})
