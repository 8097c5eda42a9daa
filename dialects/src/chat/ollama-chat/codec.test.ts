import { describe, expect, test } from 'bun:test'

import { inBody } from '../../core/views'
import type { DialectId } from '../../core/mode'
import type { JsonObject } from '../../core/json'
import { translationOf } from '../../translation/translation'
import { ollamaChatCodec } from './codec'

function translateRequest(client: DialectId, body: JsonObject, model = 'qwen3:8b') {
  const call = translationOf(client, 'ollama-chat')?.({ model: 'm', ...body }, { ...inBody, model: 'm' }, model)
  if (!call) throw new Error('There is no translation')
  return call
}
const messages = [{ role: 'user', content: 'hi' }]

describe('Ollama’s own chat', () => {
  test.each([
    [{ num_ctx: 8192 }, { options: { num_ctx: 8192 } }],
    [
      { options: { num_ctx: 4096, num_gpu: 1 }, temperature: 0.2 },
      { options: { temperature: 0.2, num_ctx: 4096, num_gpu: 1 } },
    ],
    [{ think: false, reasoning_effort: 'high' }, { think: false }],
    [{ keep_alive: '10m' }, { keep_alive: '10m' }],
    [{ keep_alive: -1 }, { keep_alive: -1 }],
    [{ reasoning_effort: 'none' }, { think: false }],
    [{ reasoning_effort: 'low' }, { think: true }],
    [{ max_tokens: 9, stop: 'x', seed: 3 }, { options: { num_predict: 9, stop: ['x'], seed: 3 } }],
    [{ response_format: { type: 'json_object' } }, { format: 'json' }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } } },
      { format: { type: 'object' } },
    ],
  ])('a chat with %j is sent as %j', (members, expected) => {
    const { body, warnings } = translateRequest('openai-chat', { messages, ...members })
    expect(body).toEqual({ model: 'qwen3:8b', messages, stream: false, ...expected })
    expect(warnings).toBeEmpty()
  })

  test('the thinking of Messages is a switch, and a degree for GPT-OSS', () => {
    const translateThinking = (thinking: object, model?: string) =>
      translateRequest('anthropic-messages', { messages, max_tokens: 9, thinking }, model)
    expect(translateThinking({ type: 'disabled' }).body['think']).toBe(false)
    expect(translateThinking({ type: 'enabled', budget_tokens: 2000 }).body['think']).toBe(true)
    expect(translateThinking({ type: 'enabled', budget_tokens: 16_000 }, 'gpt-oss:20b').body['think']).toBe('high')
    expect(translateThinking({ type: 'disabled' }, 'gpt-oss:20b').body['think']).toBe('low')
  })

  test('pictures are plain base64, and addresses of pictures are named', () => {
    const image = (url: string) => ({ type: 'image_url', image_url: { url } })
    const content = [{ type: 'text', text: 'what' }, image('data:image/png;base64,AAAA'), image('https://x/a.png')]
    const { body, warnings } = translateRequest('openai-chat', { messages: [{ role: 'user', content }] })
    expect(body['messages']).toEqual([{ role: 'user', content: 'what', images: ['AAAA'] }])
    expect(warnings).toEqual(['a picture that is given by its address'])
  })

  test('calls of tools have objects as arguments, and results name their tool', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }
    const conversation = [
      ...messages,
      { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'ice' },
    ]
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
    const { body, warnings } = translateRequest('openai-chat', {
      messages: conversation,
      tools,
      tool_choice: 'required',
    })
    expect(body).toMatchObject({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          thinking: 'hm',
          tool_calls: [{ id: 'c1', function: { name: 'look', arguments: { a: 1 } } }],
        },
        { role: 'tool', tool_name: 'look', tool_call_id: 'c1', content: 'ice' },
      ],
      tools,
    })
    expect(warnings).toEqual(['the choice of a tool'])
  })

  test('a whole response tells thoughts, text, tools and usage', () => {
    const lookupCall = { function: { name: 'look', arguments: { a: 1 } } }
    const message = {
      role: 'assistant',
      content: 'In January.',
      thinking: 'Cold.',
      tool_calls: [lookupCall, lookupCall],
    }
    const answer = { model: 'm', message, done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 7 }
    const events = ollamaChatCodec.readAnswer(answer)
    expect(events.filter(({ type }) => type === 'block-start')).toHaveLength(4)
    expect(events).toContainEqual(expect.objectContaining({ type: 'choice-end', reason: 'tool-calls' }))
    expect(events).toContainEqual(
      expect.objectContaining({ usage: expect.objectContaining({ promptTokens: 5, completionTokens: 7 }) }),
    )
  })

  test('a line with an error fails the stream', () => {
    const reader = ollamaChatCodec.createReader()
    expect(reader.read({ name: '', data: '{"error":"model crashed"}' })).toEqual([
      { type: 'failure', error: expect.objectContaining({ message: 'model crashed' }) },
    ])
  })
})
