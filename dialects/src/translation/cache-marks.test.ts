import { expect, test } from 'bun:test'

import { inBody } from '../core/views'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { translationOf } from './translation'

const mark = { prompt_cache_breakpoint: { mode: 'explicit' } }
const anthropicMark = { cache_control: { type: 'ephemeral' } }
const markedPart = (type: string, text: string, of: object = mark) => ({ type, text, ...of })

const item = (text: string) => ({ role: 'user', content: [markedPart('input_text', text)] })
const message = (text: string) => ({ role: 'user', content: [markedPart('text', text)] })

function bodyFor(client: DialectId, upstream: DialectId, request: JsonObject, model: string): JsonObject {
  const translated = translationOf(client, upstream)?.({ model, ...request }, { ...inBody, model }, model)
  if (!translated) throw new Error(`${client} is not translated into ${upstream}`)
  return translated.body
}

test.each(['gpt-5.6-sol', 'gpt-6-astra', 'openai/gpt-6.1-sol'])(
  'the marks of OpenAI’s clients reach %s by both dialects',
  (model) => {
    const toChat = bodyFor('openai-responses', 'openai-chat', { input: [item('a'), item('b')] }, model)
    expect(toChat['messages']).toEqual([message('a'), message('b')])
    const toResponses = bodyFor('openai-chat', 'openai-responses', { messages: [message('a'), message('b')] }, model)
    expect(toResponses['input']).toMatchObject([item('a'), item('b')])
  },
)

test('a marked instruction and the marked result of a tool keep their marks', () => {
  const messages = [
    { role: 'system', content: [markedPart('text', 'rules')] },
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: [markedPart('text', 'done')] },
  ]
  const { input, instructions } = bodyFor('openai-chat', 'openai-responses', { messages }, 'gpt-5.6')
  expect(instructions).toBeUndefined()
  expect(input).toMatchObject([
    { role: 'system', content: [markedPart('input_text', 'rules')] },
    { content: 'go' },
    { type: 'function_call' },
    { type: 'function_call_output', output: [markedPart('input_text', 'done')] },
  ])
  const back = bodyFor('openai-responses', 'openai-chat', { input }, 'gpt-5.6')
  expect(back['messages']).toMatchObject([
    { content: [markedPart('text', 'rules')] },
    { content: 'go' },
    {},
    { content: [markedPart('text', 'done')] },
  ])
})

test.each(['gpt-5.5', 'gpt-4o', 'deepseek-v4-pro'])('%s, which has no such marks, gets none', (model) => {
  const { messages } = bodyFor('openai-responses', 'openai-chat', { input: [item('a')] }, model)
  expect(messages).toEqual([{ role: 'user', content: 'a' }])
})

test('Anthropic’s models get the last four marks of a client that has more, as they refuse more', () => {
  const texts = ['a', 'b', 'c', 'd', 'e', 'f']
  const expected = texts.map((text, index) =>
    index < 2 ? { type: 'text', text } : markedPart('text', text, anthropicMark),
  )
  const { messages } = bodyFor('openai-responses', 'anthropic-messages', { input: texts.map(item) }, 'claude-opus-5-5')
  expect(messages).toEqual([{ role: 'user', content: expected }])
  const request = {
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } }, ...anthropicMark }],
    messages: texts.slice(1).map((text) => ({ role: 'user', content: [markedPart('text', text, anthropicMark)] })),
  }
  const late = bodyFor('openai-chat', 'anthropic-messages', request, 'claude-opus-5-5')
  expect(JSON.stringify(late).match(/"cache_control"/g)).toHaveLength(4)
  expect(JSON.stringify(late['tools'])).not.toContain('cache_control')
})

test('a mark of OpenAI’s is one of Anthropic’s where a host of both takes those', () => {
  const { messages } = bodyFor('openai-responses', 'openai-chat', { input: [item('a')] }, 'anthropic/claude-opus-5.5')
  expect(messages).toEqual([{ role: 'user', content: [markedPart('text', 'a', anthropicMark)] }])
})

test('marks of Anthropic’s clients are of no use to OpenAI’s models, which cache without', () => {
  const request = { max_tokens: 99, messages: [{ role: 'user', content: [markedPart('text', 'a', anthropicMark)] }] }
  expect(bodyFor('anthropic-messages', 'openai-responses', request, 'gpt-5.6')['input']).toMatchObject([
    { content: 'a' },
  ])
})
