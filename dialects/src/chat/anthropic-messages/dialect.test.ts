import { describe, expect, test } from 'bun:test'

import { DialectError } from '../../core/dialect-error'
import { noUsage } from '../../core/usage'
import { anthropicError, anthropicErrorType, errorIn } from './errors'
import { claudeTraits } from './models'
import { messagesPrompt } from './prompt'
import { readCountTokensRequest, readMessagesRequest } from './request'
import { deltaUsageBody, readUsage, usageBody } from './usage'

const hi = [{ role: 'user', content: 'hi' }]
const min = { model: 'm', max_tokens: 5, messages: hi }

describe('a request', () => {
  test('a request is viewed with what it asks for', () => {
    expect(readMessagesRequest({ ...min, stream: true, unknown: 1 })).toEqual({
      model: 'm',
      isStream: true,
      includeUsage: true,
      maxOutputTokens: 5,
      choices: 1,
    })
    expect(readMessagesRequest({ ...min, max_tokens: 0 }).maxOutputTokens).toBe(0)
    expect(readMessagesRequest({ max_tokens: 5, messages: hi }, 'from-the-path').model).toBe('from-the-path')
  })

  test.each([
    [{ ...min, model: undefined }, 'model', 'missing_required_parameter'],
    [{ ...min, max_tokens: undefined }, 'max_tokens', 'missing_required_parameter'],
    [{ ...min, max_tokens: 1.5 }, 'max_tokens', 'invalid_type'],
    [{ ...min, max_tokens: -1 }, 'max_tokens', 'integer_below_min_value'],
    [{ ...min, thread: { type: 'create' } }, 'thread', 'thread_unsupported_request'],
    [{ ...min, messages: undefined }, 'messages', 'missing_required_parameter'],
    [{ ...min, messages: 'hi' }, 'messages', 'invalid_type'],
    [{ ...min, messages: [] }, 'messages', 'empty_array'],
    [{ ...min, messages: [...hi, 5] }, 'messages.1', 'invalid_type'],
    [{ ...min, messages: [{ content: 'a' }] }, 'messages.0.role', 'missing_required_parameter'],
    [{ ...min, messages: [{ role: 'tool', content: 'a' }] }, 'messages.0.role', 'invalid_value'],
    [{ ...min, messages: [{ role: 'user' }] }, 'messages.0.content', 'missing_required_parameter'],
    [{ ...min, messages: [{ role: 'user', content: 5 }] }, 'messages.0.content', 'invalid_type'],
    [{ ...min, messages: [{ role: 'user', content: ['a'] }] }, 'messages.0.content.0', 'invalid_type'],
    [
      { ...min, messages: [{ role: 'user', content: [{}] }] },
      'messages.0.content.0.type',
      'missing_required_parameter',
    ],
    [{ ...min, system: 5 }, 'system', 'invalid_type'],
    [{ ...min, stream: 'yes' }, 'stream', 'invalid_type'],
  ] as const)('%j is refused for its %s', (body, param, code) => {
    let caught: unknown
    try {
      readMessagesRequest(body)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(DialectError)
    expect(caught).toMatchObject({ param, code })
  })

  test('a request to count tokens needs no limit', () => {
    expect(readCountTokensRequest({ model: 'm', messages: hi })).toMatchObject({ model: 'm', isStream: false })
    expect(() => readCountTokensRequest({ model: 'm' })).toThrow(DialectError)
  })

  test('a prompt shows all its words', () => {
    const tool = { name: 'lookup', input_schema: { type: 'object' } }
    const shape = messagesPrompt({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: {} },
            { type: 'text', text: 'see' },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', name: 'lookup', input: { a: 'b' } }] },
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'ice' }] }] },
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'text', data: 'plain' }, title: 'T', context: 'C' },
            { type: 'document', source: { type: 'base64', data: 'JVBERi0' } },
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'inner' }] } },
            { type: 'search_result', title: 'S', content: [{ type: 'text', text: 'found' }] },
          ],
        },
      ],
      tools: [tool],
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    })
    expect(shape.texts).toEqual([
      'Be brief.',
      'see',
      'lookup',
      '{"a":"b"}',
      'ice',
      'T',
      'C',
      'plain',
      'inner',
      'S',
      'found',
    ])
    expect(shape).toMatchObject({ messages: 4, images: 1, files: 1, tools: [tool, { type: 'object' }] })
  })
})

describe('usage', () => {
  const wire = {
    input_tokens: 7,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    output_tokens: 9,
    output_tokens_details: { thinking_tokens: 4 },
    server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
  }
  const neutral = {
    ...noUsage,
    promptTokens: 137,
    cachedTokens: 100,
    cacheWriteTokens: 10,
    cacheWriteHourTokens: 20,
    completionTokens: 9,
    reasoningTokens: 4,
    toolCalls: { webSearch: 2 },
  }

  test('counts the cache into the prompt, and out of it again', () => {
    expect(readUsage(wire)).toEqual(neutral)
    expect(usageBody(neutral)).toEqual({ ...wire, service_tier: 'standard' })
    expect(readUsage(deltaUsageBody(neutral))).toEqual({ ...neutral, cacheWriteTokens: 30, cacheWriteHourTokens: 0 })
  })

  test('takes writes of unknown time as those of five minutes', () => {
    expect(readUsage({ input_tokens: 1, cache_creation_input_tokens: 5, output_tokens: 1 })).toMatchObject({
      promptTokens: 6,
      cacheWriteTokens: 5,
      cacheWriteHourTokens: 0,
    })
  })

  test.each([[null], [{}], [{ input_tokens: -1, output_tokens: 5 }], [{ input_tokens: '7' }]])(
    '%j cannot be believed',
    (usage) => {
      expect(readUsage(usage)).toBeNull()
    },
  )
})

describe('errors', () => {
  const view = { message: 'No.', type: 'server_error', code: '', param: null }

  test('errors have the types of this dialect', () => {
    const typeOf = (change: object) => (anthropicError({ ...view, ...change })['error'] as { type: string }).type
    expect(typeOf({})).toBe('api_error')
    expect(typeOf({ type: 'rate_limit_error' })).toBe('rate_limit_error')
    expect(typeOf({ type: 'invalid_request_error', code: 'model_not_found' })).toBe('not_found_error')
    expect(typeOf({ type: 'insufficient_quota' })).toBe('billing_error')
    expect([400, 401, 402, 403, 404, 413, 418, 429, 500, 502, 503, 529].map(anthropicErrorType)).toEqual([
      'invalid_request_error',
      'authentication_error',
      'billing_error',
      'permission_error',
      'not_found_error',
      'request_too_large',
      'invalid_request_error',
      'rate_limit_error',
      'api_error',
      'api_error',
      'overloaded_error',
      'overloaded_error',
    ])
  })

  test('name the request that their sentence names', () => {
    expect(anthropicError({ ...view, message: 'No. (request id: 20260101-aB3)' })).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'No. (request id: 20260101-aB3)' },
      request_id: '20260101-aB3',
    })
    expect(anthropicError(view)).not.toHaveProperty('request_id')
  })

  test('errors are found in responses that have them', () => {
    expect(errorIn({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })).toMatchObject({
      type: 'overloaded_error',
      message: 'Overloaded',
    })
    expect(errorIn({ type: 'message', content: [], error: null })).toBeNull()
  })
})

describe('what a model takes', () => {
  test.each([
    ['claude-2.1', 'none', 4096],
    ['claude-instant-1.2', 'none', 4096],
    ['claude-3-opus-20240229', 'none', 4096],
    ['claude-3-5-sonnet-20241022', 'none', 8192],
    ['claude-3-7-sonnet-20250219', 'budget', 8192],
    ['claude-opus-4-20250514', 'budget', 8192],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'budget', 8192],
    ['claude-haiku-4-5@20251001', 'budget', 8192],
    ['claude-opus-4-6', 'both', 8192],
    ['claude-opus-4-7', 'adaptive', 8192],
    ['claude-sonnet-5', 'adaptive', 8192],
    ['claude-mythos-preview', 'adaptive', 8192],
    ['kimi-k2', 'budget', 8192],
  ] as const)('%s thinks by %s', (model, thinking, defaultMaxTokens) => {
    expect(claudeTraits(model)).toMatchObject({ thinking, defaultMaxTokens })
  })

  test('the traits of a model narrow with its version', () => {
    expect(claudeTraits('claude-opus-4-7')).toMatchObject({ refusesSampling: true, takesAdaptive: true })
    expect(claudeTraits('claude-sonnet-4-5')).toMatchObject({ takesOneSampler: true, hasStructuredOutput: true })
    expect(claudeTraits('claude-3-7-sonnet-20250219')).toMatchObject({
      takesOneSampler: false,
      refusesSampling: false,
      hasStructuredOutput: false,
    })
  })

  test.each([
    ['claude-opus-5', false, false],
    ['claude-opus-5-5', true, true],
    ['us.anthropic.claude-opus-5-5', true, true],
    // https://platform.claude.com/docs/en/models/sonnet-5-5/whats-new-sonnet-5-5
    ['claude-sonnet-5-5', false, true],
    ['claude-sonnet-5', false, false],
    ['claude-haiku-5-5', false, false],
    ['claude-fable-5', true, false],
    ['claude-fable-5-2', true, true],
    ['claude-opus-4-20250514', false, false],
    ['kimi-k3', false, false],
  ])('%s always thinks: %p, and refuses a forced tool: %p', (model, alwaysThinks, refusesForcedTool) => {
    expect(claudeTraits(model)).toMatchObject({ alwaysThinks, refusesForcedTool })
  })

  // https://platform.claude.com/docs/en/build-with-claude/effort
  test.each([
    ['claude-haiku-5-5', 'low medium high xhigh max'],
    ['global.anthropic.claude-opus-4-7', 'low medium high xhigh max'],
    ['claude-mythos-preview', 'low medium high max'],
    ['claude-sonnet-4-6', 'low medium high max'],
    ['claude-opus-4-5@20251101', 'low medium high'],
    ['claude-sonnet-4-5-20250929', ''],
    ['claude-haiku-4-5', ''],
    ['claude-3-7-sonnet-20250219', ''],
  ])('%s takes the efforts %s', (model, expected) => {
    expect(claudeTraits(model).efforts.join(' ')).toBe(expected)
  })

  // https://platform.claude.com/docs/en/build-with-claude/effort-per-message
  test.each([
    ['claude-fable-5-2', true],
    ['claude-mythos-5-1', true],
    ['anthropic.claude-opus-5-5', true],
    ['claude-opus-5', true],
    ['claude-sonnet-5-5', true],
    ['claude-haiku-5-5', true],
    ['claude-fable-5', false],
    ['claude-sonnet-5', false],
    ['claude-opus-4-8', false],
  ])('%s takes efforts of turns: %p', (model, isTaken) => {
    expect(claudeTraits(model).takesTurnEfforts).toBe(isTaken)
  })
})

test('the refusal of a thread tells the vendor’s SDKs to send whole conversations', () => {
  const refusal = { message: 'No', type: 'invalid_request_error', code: 'thread_unsupported_request', param: 'thread' }
  expect(anthropicError(refusal)).toEqual({
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: 'No',
      details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
    },
  })
})
