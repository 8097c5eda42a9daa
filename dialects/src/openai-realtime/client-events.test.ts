import { describe, expect, test } from 'bun:test'

import { textsOfClientEvent } from './client-events'

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
  ])('%s', (_, event) => {
    expect(textsOfClientEvent(event)).toEqual(['Hello'])
  })

  test('an event in which nothing is written has no texts', () => {
    const session = { instructions: '', prompt: null, audio: { input: { transcription: null } }, tools: [] }
    expect(textsOfClientEvent({ session, item: null, response: { input: [null, 1] } })).toEqual([])
  })
})
