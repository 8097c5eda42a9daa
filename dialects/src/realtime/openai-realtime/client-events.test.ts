import { describe, expect, test } from 'bun:test'

import { audioLengthOfClientEvent, readClientEvent, requestedLimit, textsOfClientEvent } from './client-events'

describe('text that a client wrote is found', () => {
  test.each([
    ['in the instructions of a session', { session: { instructions: 'Hello' } }],
    ['in the instructions of a response', { response: { instructions: 'Hello' } }],
    ['in a variable of a stored prompt', { session: { prompt: { id: 'pmpt_1', variables: { place: 'Hello' } } } }],
    [
      'in a variable that is a part of a message',
      { response: { prompt: { id: 'pmpt_1', variables: { place: { type: 'input_text', text: 'Hello' } } } } },
    ],
    ['in the hint for transcripts', { session: { audio: { input: { transcription: { prompt: 'Hello' } } } } }],
    ['in that of the beta', { session: { input_audio_transcription: { prompt: 'Hello' } } }],
    ['in a message', { item: { content: [{ type: 'input_text', text: 'Hello' }] } }],
    ['in the transcript of what was said', { item: { content: [{ type: 'input_audio', transcript: 'Hello' }] } }],
    ['in the result of a tool', { item: { type: 'function_call_output', output: 'Hello' } }],
    ['in the arguments of a call', { item: { type: 'function_call', arguments: 'Hello' } }],
    ['in the input of a response', { response: { input: [{ content: [{ type: 'input_text', text: 'Hello' }] }] } }],
  ])('a text that a client sends is found %s', (_, event) => {
    expect(textsOfClientEvent(event)).toEqual(['Hello'])
  })

  test('an event in which nothing is written has no texts', () => {
    const session = { instructions: '', prompt: null, audio: { input: { transcription: null } }, tools: [] }
    expect(textsOfClientEvent({ session, item: null, response: { input: [null, 1] } })).toEqual([])
  })
})

test.each([
  ['in the usual form', '{"type":"input_audio_buffer.append","audio":"AAAA"}'],
  ['with an id first', '{"event_id":"e_1","type":"input_audio_buffer.append","audio":"AAAA"}'],
  ['with an id last', '{"type":"input_audio_buffer.append","audio":"AAAA","event_id":"e_1"}'],
  ['before its type', '{"audio":"AAAA","type":"input_audio_buffer.append"}'],
])('audio %s is measured by its base64 text', (_, text) => {
  expect(readClientEvent(text)).toEqual({ kind: 'audio', audioLength: 4 })
})

test('only recorded sound may be longer than 4 MB', () => {
  const long = 'A'.repeat(5 * 1024 * 1024)
  const ofType = (type: string) => readClientEvent(JSON.stringify({ event_id: 1, type, audio: long })).kind
  expect([ofType('input_audio_buffer.append'), ofType('conversation.item.create')]).toEqual(['audio', 'too-large'])
})

test('recordings in items are measured', () => {
  const item = {
    content: [
      { type: 'input_audio', audio: 'AAAA' },
      { type: 'input_text', text: 'Hello' },
    ],
  }
  expect(audioLengthOfClientEvent({ item, response: { input: [item, null] } })).toBe(8)
  expect(audioLengthOfClientEvent({ item: { content: null } })).toBe(0)
})

test.each([
  ['a number', { response: { max_output_tokens: 20 } }, 20],
  ['a number by the name of the beta', { response: { max_response_output_tokens: 20 } }, 20],
  ['none', { response: { max_output_tokens: 'inf' } }, null],
  ['that of the session', { response: {} }, undefined],
  ['that of the session, without a configuration', {}, undefined],
])('the limit that a request for a response sets is %s', (_, event, limit) => {
  expect(requestedLimit(event)).toBe(limit)
})
