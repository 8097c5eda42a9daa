import { describe, expect, test } from 'bun:test'

import { inBody } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import { dialects } from '../../dialects'
import type { DialectId } from '../../core/mode'
import { readChatRequest } from './request'

const messages = [{ role: 'user', content: 'hi' }]
const body = { model: 'gpt-4o', messages }

/** What a request is refused for: the member and the reason. */
function refusal(read: () => unknown): [string | null, string] | null {
  try {
    read()
    return null
  } catch (error) {
    if (error instanceof DialectError) return [error.param, error.code]
    throw error
  }
}

describe('a chat request', () => {
  test('a chat request is viewed with what it asks for', () => {
    expect(readChatRequest(body)).toEqual({
      model: 'gpt-4o',
      isStream: false,
      includeUsage: false,
      maxOutputTokens: null,
      choices: 1,
    })
    const full = { ...body, stream: true, stream_options: { include_usage: true }, max_tokens: 5, n: 3, unknown: {} }
    expect(readChatRequest(full)).toMatchObject({ isStream: true, includeUsage: true, maxOutputTokens: 5, choices: 3 })
    expect(readChatRequest({ ...body, max_tokens: 5, max_completion_tokens: 9 }).maxOutputTokens).toBe(9)
    expect(readChatRequest({ messages }, 'named-elsewhere').model).toBe('named-elsewhere')
  })

  test('nulls count as absent, and unread members may hold anything', () => {
    const nulls = {
      ...body,
      stream: null,
      stream_options: null,
      max_tokens: null,
      max_completion_tokens: null,
      n: null,
    }
    expect(refusal(() => readChatRequest(nulls))).toBeNull()
    expect(refusal(() => readChatRequest({ ...body, temperature: 'hot', tools: 7 }))).toBeNull()
  })

  test.each([
    [{ model: undefined }, 'model', 'missing_required_parameter'],
    [{ model: '' }, 'model', 'missing_required_parameter'],
    [{ model: '  ' }, 'model', 'empty_string'],
    [{ model: 5 }, 'model', 'invalid_type'],
    [{ model: 'm'.repeat(257) }, 'model', 'string_above_max_length'],
    [{ messages: undefined }, 'messages', 'missing_required_parameter'],
    [{ messages: 'hi' }, 'messages', 'invalid_type'],
    [{ messages: [] }, 'messages', 'empty_array'],
    [{ messages: [messages[0], 'hi'] }, 'messages[1]', 'invalid_type'],
    [{ stream: 'yes' }, 'stream', 'invalid_type'],
    [{ stream_options: true }, 'stream_options', 'invalid_type'],
    [{ stream_options: { include_usage: 'yes' } }, 'stream_options.include_usage', 'invalid_type'],
    [{ max_tokens: 0 }, 'max_tokens', 'integer_below_min_value'],
    [{ max_tokens: -1 }, 'max_tokens', 'integer_below_min_value'],
    [{ max_tokens: 1.5 }, 'max_tokens', 'invalid_type'],
    [{ max_tokens: 2 ** 30 }, 'max_tokens', 'integer_above_max_value'],
    [{ max_completion_tokens: 1e300 }, 'max_completion_tokens', 'integer_above_max_value'],
    [{ n: 0 }, 'n', 'integer_below_min_value'],
    [{ n: 129 }, 'n', 'integer_above_max_value'],
    [{ n: '2' }, 'n', 'invalid_type'],
  ])('a request with %j is refused', (change, param, code) => {
    expect(refusal(() => readChatRequest({ ...body, ...change }))).toEqual([param, code])
  })
})

describe('other requests', () => {
  test('a completion counts its prompts and its candidates', () => {
    const { readRequest } = dialects['openai-completions']
    expect(readRequest({ model: 'm', prompt: 'a' }, inBody).choices).toBe(1)
    expect(readRequest({ model: 'm', prompt: ['a', 'b'], n: 2, best_of: 5 }, inBody).choices).toBe(10)
    expect(readRequest({ model: 'm', prompt: [1, 2, 3] }, inBody).choices).toBe(1)
    expect(readRequest({ model: 'm', prompt: 'a', max_tokens: 0, echo: true }, inBody).maxOutputTokens).toBe(0)
  })

  test('a moderation has a model by default', () => {
    expect(dialects['openai-moderations'].readRequest({ input: 'a' }, inBody).model).toBe('text-moderation-stable')
  })

  test.each<[DialectId, string]>([
    ['openai-completions', 'prompt'],
    ['openai-embeddings', 'input'],
    ['openai-moderations', 'input'],
  ])('%s needs its %s', (id, name) => {
    const { readRequest } = dialects[id]
    expect(refusal(() => readRequest({ model: 'm' }, inBody))).toEqual([name, 'missing_required_parameter'])
    expect(refusal(() => readRequest({ model: 'm', [name]: 5 }, inBody))).toEqual([name, 'invalid_type'])
    expect(refusal(() => readRequest({ model: 'm', [name]: [] }, inBody))).toEqual([name, 'empty_array'])
    expect(refusal(() => readRequest({ model: 'm', [name]: ['a'] }, inBody))).toBeNull()
  })
})
