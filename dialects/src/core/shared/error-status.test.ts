import { describe, expect, test } from 'bun:test'

import { dialects, type DialectId } from '../../index'
import { errorStatus } from './error-status'

const encoder = new TextEncoder()

/** Returns the status of the error that is the first event of a stream. */
function statusOf(dialect: DialectId, event: object, name?: string): number | null {
  const tap = dialects[dialect].createTap({ swallowUsage: false, addUsage: false })
  tap.push(encoder.encode(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`))
  if (!tap.error) throw new Error('The tap sees no error')
  return errorStatus(tap.error)
}

const tooLong = 'prompt is too long: 210000 tokens > 200000 maximum'

describe('an error in the first event of a stream', () => {
  test.each<[string, DialectId, object, number | null]>([
    [
      'a prompt too long for Claude',
      'anthropic-messages',
      { type: 'error', error: { type: 'invalid_request_error', message: tooLong } },
      400,
    ],
    [
      'a model that Claude’s API lacks',
      'anthropic-messages',
      { type: 'error', error: { type: 'not_found_error', message: 'model: x' } },
      404,
    ],
    [
      'a body too large for Claude',
      'anthropic-messages',
      { type: 'error', error: { type: 'request_too_large', message: 'x' } },
      413,
    ],
    [
      'a context too long, named by code and type',
      'openai-chat',
      { error: { message: 'x', type: 'invalid_request_error', code: 'context_length_exceeded' } },
      400,
    ],
    [
      'a type that is a Python class',
      'openai-chat',
      { error: { message: 'x', type: 'BadRequestError', code: 400 } },
      400,
    ],
    [
      'an account of Moonshot without money',
      'openai-chat',
      { error: { message: 'x', type: 'exceeded_current_quota_error' } },
      429,
    ],
    [
      'an engine of Moonshot that is busy',
      'openai-chat',
      { error: { message: 'x', type: 'engine_overloaded_error' } },
      429,
    ],
    [
      'a key that Moonshot rejects',
      'openai-chat',
      { error: { message: 'x', type: 'invalid_authentication_error' } },
      401,
    ],
    [
      'OpenAI that is overloaded',
      'openai-responses',
      { type: 'error', code: 'server_is_overloaded', message: 'x' },
      503,
    ],
    [
      'a relay around its own upstream',
      'openai-chat',
      { error: { error: { message: 'x', type: 'overloaded_error' } } },
      529,
    ],
    ['a number alone', 'openai-chat', { error: { message: 'x', code: 429 } }, 429],
    ['a number written as text', 'openai-chat', { error: { message: 'x', code: '402' } }, 402],
    [
      'a rate limit whose type blames the request',
      'openai-chat',
      { error: { message: 'x', type: 'invalid_request_error', code: 'rate_limit_exceeded' } },
      429,
    ],
    [
      'a context too long in capitals',
      'openai-chat',
      { error: { message: 'Context length exceeded', code: 'CONTEXT_LENGTH_EXCEEDED' } },
      400,
    ],
    [
      'a host of vLLM that names its error beside empty choices',
      'openai-chat',
      { choices: null, error_type: 'BadRequestError', error_message: 'maximum context length is 163840 tokens' },
      400,
    ],
    [
      'OpenRouter’s upstream in a chunk without choices',
      'openai-chat',
      {
        id: 'gen-1',
        object: 'chat.completion.chunk',
        choices: [],
        error: { code: 502, message: 'x', metadata: { error_type: 'provider_unavailable' } },
      },
      502,
    ],
    ['an error without any code', 'openai-chat', { error: { message: 'quota exceeded', code: null } }, null],
    ['an error that is a text', 'openai-chat', { error: 'model is not loaded' }, null],
    ['a filter of Azure', 'openai-chat', { error: { message: 'x', code: 'content_filter' } }, 400],
    ['a number of a vendor’s own', 'openai-chat', { error: { message: 'x', code: 1008 } }, null],
    ['a name of a vendor’s own', 'openai-chat', { error: { message: 'x', type: 'EngineDeadError' } }, null],
    [
      'an image that is blocked',
      'openai-images',
      { type: 'error', error: { type: 'image_generation_user_error', code: 'moderation_blocked', message: 'x' } },
      400,
    ],
    [
      'an error event of Responses',
      'openai-responses',
      { type: 'error', code: 'context_length_exceeded', message: 'x', param: null },
      400,
    ],
    [
      'an error event of Responses with an object',
      'openai-responses',
      { type: 'error', error: { type: 'invalid_request_error', code: 'invalid_prompt', message: 'x' } },
      400,
    ],
    [
      'a failed response',
      'openai-responses',
      { type: 'response.failed', response: { status: 'failed', error: { code: 'invalid_image_url', message: 'x' } } },
      400,
    ],
    [
      'a failed response of an overloaded server',
      'openai-responses',
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'x' } } },
      500,
    ],
    ['a status of Google', 'gemini', { error: { code: 400, message: 'x', status: 'INVALID_ARGUMENT' } }, 400],
    ['a status of Google without a number', 'gemini', { error: { message: 'x', status: 'FAILED_PRECONDITION' } }, 400],
  ])('%s has the status that its name says', (_what, dialect, event, expected) => {
    const name = 'type' in event && typeof event.type === 'string' ? event.type : undefined
    expect(statusOf(dialect, event, dialect.startsWith('anthropic') ? name : undefined)).toBe(expected)
  })
})
