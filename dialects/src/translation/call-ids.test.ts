import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { noUsage } from '../core/usage'
import { translationOf } from './translation'

const translate = (client: DialectId, upstream: DialectId, body: JsonObject, model = 'm') => {
  const translated = translationOf(client, upstream)?.({ model, ...body }, { ...inBody, model }, model)
  if (!translated) throw new Error(`${client} does not reach ${upstream}`)
  return translated
}

const user = (content: unknown) => ({ role: 'user', content })
const calls = (...named: [id: string, name: string][]) => ({
  role: 'assistant',
  content: null,
  tool_calls: named.map(([id, name]) => ({ id, type: 'function', function: { name, arguments: '{}' } })),
})
const result = (tool_call_id: string, content: string) => ({ role: 'tool', tool_call_id, content })

const use = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} })
const toolResult = (tool_use_id: string, text: string) => ({
  type: 'tool_result',
  tool_use_id,
  content: [{ type: 'text', text }],
})

// https://github.com/NVIDIA-NeMo/Switchyard/issues/502, https://github.com/anthropics/claude-code/issues/28515
describe('ids that calls of tools share', () => {
  test('a repeated id in a later answer becomes another one, also in its result', () => {
    const messages = [user('a'), calls(['c', 'f']), result('c', '1'), calls(['c', 'g']), result('c', '2'), user('b')]
    expect(translate('openai-chat', 'anthropic-messages', { messages }).body['messages']).toEqual([
      user([{ type: 'text', text: 'a' }]),
      { role: 'assistant', content: [use('c', 'f')] },
      user([toolResult('c', '1')]),
      { role: 'assistant', content: [use('c_2', 'g')] },
      user([toolResult('c_2', '2'), { type: 'text', text: 'b' }]),
    ])
  })

  test('a repeated id in one answer becomes another one, and results follow in order', () => {
    const messages = [user('a'), calls(['c', 'f'], ['c', 'g'], ['c_2', 'h']), result('c', '1'), result('c', '2')]
    expect(translate('openai-chat', 'anthropic-messages', { messages }).body['messages']).toEqual([
      user([{ type: 'text', text: 'a' }]),
      { role: 'assistant', content: [use('c', 'f'), use('c_2', 'g'), use('c_2_2', 'h')] },
      user([toolResult('c', '1'), toolResult('c_2', '2')]),
    ])
    const gemini = translate('openai-chat', 'gemini', { messages }).body['contents']
    expect(JSON.stringify(gemini)).toContain('"functionResponse":{"id":"c_2","name":"g","response":{"output":"2"}}')
  })

  test('a new answer repeats no id of the conversation', () => {
    const translated = translate('anthropic-messages', 'openai-chat', {
      max_tokens: 9,
      messages: [user('a'), { role: 'assistant', content: [use('call_0', 'f')] }, user([toolResult('call_0', '1')])],
    })
    const options = { ...answering, promptTokens: 1 }
    const whole = translated
      .read({ choices: [{ index: 0, message: calls(['call_0', 'f'], ['call_0', 'g']), finish_reason: 'tool_calls' }] })
      .write(noUsage, options)
    expect(whole['content']).toEqual([use('call_0_2', 'f'), use('call_0_3', 'g')])

    const tap = translated.createTap?.(options)
    const called = {
      index: 0,
      delta: { tool_calls: [{ index: 0, id: 'call_0', function: { name: 'f', arguments: '{}' } }] },
    }
    const chunks = [called, { index: 0, delta: {}, finish_reason: 'tool_calls' }]
    const stream = chunks.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`).join('')
    expect(new TextDecoder().decode(tap?.push(new TextEncoder().encode(stream)))).toContain('"id":"call_0_2"')
  })
})

const answering = {
  model: 'm',
  includeUsage: true,
  now: 0,
  newId: (prefix: string) => prefix,
  thoughtsAsText: false,
  taggedThoughts: false,
}
