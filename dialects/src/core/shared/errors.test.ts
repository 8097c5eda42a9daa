import { describe, expect, test } from 'bun:test'

import { errorIn, errorType, openAiError, openAiErrorEvent, readUpstreamError } from './errors'

describe('errors of upstreams', () => {
  test.each([
    [
      '{"error":{"message":"No","type":"t","param":"p","code":"c"}}',
      { message: 'No', type: 't', param: 'p', code: 'c' },
    ],
    ['{"error":{"message":"No","code":429}}', { message: 'No', type: '', param: null, code: '429' }],
    [
      '{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\\"error\\":{\\"message\\":\\"Too long\\",\\"code\\":\\"context_length_exceeded\\"}}","provider_name":"x"}}}',
      { message: 'Too long', code: 'context_length_exceeded' },
    ],
    [
      '{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"model is busy"}}}',
      { message: 'Provider returned error: model is busy', code: '429' },
    ],
    [
      '{"error":{"code":404,"message":"No","metadata":{"error_type":"model_not_found","param":"model"}}}',
      { message: 'No', type: 'model_not_found', param: 'model', code: '404' },
    ],
    ['{"error":"No"}', { message: 'No', type: '', param: null, code: '' }],
    ['[{"error":{"code":400,"message":"No","status":"INVALID"}}]', { message: 'No', code: '400' }],
    ['{"message":"No","code":"x"}', { message: 'No', code: 'x' }],
    ['{"msg":"No"}', { message: 'No' }],
    ['{"err":"No"}', { message: 'No' }],
    ['{"error_msg":"No"}', { message: 'No' }],
    ['{"errorMessage":"No"}', { message: 'No' }],
    ['{"header":{"message":"No"}}', { message: 'No' }],
    ['{"response":{"error":{"message":"No"}}}', { message: 'No' }],
    ['{"detail":"No"}', { message: 'No' }],
    ['{"detail":[{"loc":["body"],"msg":"field required"}]}', { message: 'field required' }],
    [
      '{"detail":[{"loc":["body","messages",0,"foo"],"msg":"Extra inputs are not permitted"}]}',
      { message: 'messages.0.foo: Extra inputs are not permitted' },
    ],
    [
      '{"object":"error","message":{"detail":[{"loc":["body","foo"],"msg":"Extra inputs are not permitted"}]},"type":"t"}',
      { message: 'foo: Extra inputs are not permitted', type: 't' },
    ],
    ['{"success":false,"errors":[{"code":10000,"message":"No"}]}', { message: 'No' }],
    ['{"error":{"type":"overloaded"},"message":"No"}', { message: 'No', type: 'overloaded' }],
    ['{"error":{"type":"overloaded"}}', { message: 'overloaded', type: 'overloaded' }],
    ['<html><head><title>502 Bad Gateway</title></head><body>10.0.0.1</body></html>', { message: 'HTTP status 502' }],
    ['<!DOCTYPE html><p>hi', { message: 'HTTP status 502' }],
    ['', { message: 'HTTP status 502', code: 'bad_response_status_code' }],
    ['{"broken', { message: 'HTTP status 502' }],
    ['[]', { message: 'HTTP status 502' }],
    ['upstream connect error', { message: 'HTTP status 502', code: 'bad_response_status_code' }],
  ])('an error body is read: %s', (body, expected) => {
    expect(readUpstreamError(502, body)).toMatchObject(expected)
  })

  test('keep a body of no known shape apart from what is shown', () => {
    const view = readUpstreamError(404, 'internal panel: db password is hunter2')
    expect(view).toEqual({
      message: 'HTTP status 404',
      type: '',
      code: 'bad_response_status_code',
      param: null,
      words: 'internal panel: db password is hunter2',
    })
  })

  test('long error texts are cut', () => {
    expect(readUpstreamError(500, JSON.stringify({ error: { message: 'x'.repeat(1e6) } })).message.length).toBeLessThan(
      5000,
    )
    expect(readUpstreamError(500, 'x'.repeat(1e6)).message.length).toBeLessThan(1000)
  })

  test('errors inside a good response are found', () => {
    expect(errorIn({ error: { message: 'No' } })?.message).toBe('No')
    expect(errorIn({ error: 'No' })?.message).toBe('No')
    for (const error of [undefined, null, {}, '', [], false]) expect(errorIn({ error, choices: [] })).toBeNull()
  })
})

describe('errors to clients', () => {
  test.each([
    [400, '', 'invalid_request_error'],
    [401, '', 'authentication_error'],
    [403, '', 'permission_error'],
    [403, 'insufficient_quota', 'insufficient_quota'],
    [404, '', 'invalid_request_error'],
    [429, '', 'rate_limit_error'],
    [500, '', 'server_error'],
    [503, '', 'server_error'],
  ])('status %d %s is a %s', (status, code, type) => {
    expect(errorType(status, code)).toBe(type)
  })

  test('errors have the shape SDKs read, whole and in a stream', () => {
    const error = { message: 'a "quoted"\nline', type: 'server_error', code: '', param: null }
    expect(openAiError(error)).toEqual({ error: { ...error, code: null } })
    const event = new TextDecoder().decode(openAiErrorEvent(error))
    expect(event).toMatch(/^data: [^\n]+\n\n$/)
    expect(JSON.parse(event.slice(6))).toEqual(openAiError(error))
  })
})
