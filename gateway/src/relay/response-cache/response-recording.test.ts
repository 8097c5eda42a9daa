import { expect, test } from 'bun:test'

import { isWholeResponse } from './response-recording'

const whole = (value: unknown) =>
  isWholeResponse(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))

test.each([
  ['a chat', { choices: [{ finish_reason: 'stop' }] }, true],
  ['a chat at its limit', { choices: [{ finish_reason: 'stop' }, { finish_reason: 'length' }] }, false],
  ['a chat that a filter ended', { choices: [{ finish_reason: 'content_filter' }] }, false],
  ['a chat with a call of a tool', { choices: [{ finish_reason: 'tool_calls' }] }, true],
  ['a message', { stop_reason: 'end_turn' }, true],
  ['a message at its limit', { stop_reason: 'max_tokens' }, false],
  ['a message that pauses', { stop_reason: 'pause_turn' }, false],
  ['content', { candidates: [{ finishReason: 'STOP' }] }, true],
  ['content at its limit', { candidates: [{ finishReason: 'MAX_TOKENS' }] }, false],
  ['a response', { status: 'completed', output: [{ status: 'completed' }] }, true],
  ['a response at its limit', { status: 'incomplete' }, false],
  ['vectors', { data: [{ embedding: [0.1] }] }, true],
  ['a stream', 'data: {"choices":[{"finish_reason":null}]}\n\ndata: {"choices":[{"finish_reason": "stop"}]}\n\n', true],
  ['a stream at its limit', 'data: {"choices":[{"finish_reason": "length"}]}\n\ndata: [DONE]\n\n', false],
  ['words about an end', { choices: [{ text: '"finish_reason":"length"', finish_reason: 'stop' }] }, true],
])('%s is judged by how it ended', (_, response, expected) => {
  expect(whole(response)).toBe(expected)
})

test('bytes that are not UTF-8 are not stored', () => {
  expect(isWholeResponse(Buffer.from([0x7b, 0xff, 0x7d]))).toBe(false)
})
