import { expect, test } from 'bun:test'

import { readCall } from './call'

const pathContext = { model: '', isStream: false }
const read = (body: object) =>
  readCall({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }], ...body }, pathContext)

test('a conversation with tools is read in its order, with the names of the tools', () => {
  const { messages } = read({
    messages: [
      { role: 'developer', content: 'Be brief' },
      { role: 'user', content: [{ type: 'text', text: 'Weather?', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      {
        role: 'assistant',
        content: null,
        reasoning_details: [{ type: 'reasoning.text', text: 'Look it up', signature: 'sig' }],
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
    ],
  })
  expect(messages).toEqual([
    { role: 'developer', parts: [{ kind: 'text', text: 'Be brief' }] },
    { role: 'user', parts: [{ kind: 'text', text: 'Weather?', cache: '1h' }] },
    {
      role: 'assistant',
      parts: [
        { kind: 'thinking', text: 'Look it up', signature: 'sig' },
        { kind: 'tool-call', id: 'call_1', name: 'weather', argumentsText: '{"city":"Oslo"}' },
      ],
    },
    {
      role: 'user',
      parts: [
        {
          kind: 'tool-result',
          callId: 'call_1',
          name: 'weather',
          parts: [{ kind: 'text', text: 'Rain' }],
          isError: false,
        },
      ],
    },
  ])
})

test.each([
  ['auto', { kind: 'auto' }],
  ['required', { kind: 'required' }],
  [
    { type: 'function', function: { name: 'f' } },
    { kind: 'tool', name: 'f' },
  ],
  [undefined, null],
])('the tool choice %p is read', (choice, read_) => {
  expect(read({ tool_choice: choice }).toolChoice).toEqual(read_ as never)
})

test('pictures, sounds and files are read with where they are', () => {
  const content = [
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
    { type: 'image_url', image_url: { url: 'https://images.example/a.png' } },
    { type: 'input_audio', input_audio: { data: 'BBBB', format: 'mp3' } },
    { type: 'file', file: { file_data: 'data:application/pdf;base64,CCCC', filename: 'a.pdf' } },
  ]
  expect(read({ messages: [{ role: 'user', content }] }).messages[0]?.parts).toEqual([
    { kind: 'image', source: { kind: 'data', mime: 'image/png', data: 'AAAA' }, detail: 'low' },
    { kind: 'image', source: { kind: 'url', url: 'https://images.example/a.png' } },
    { kind: 'audio', source: { kind: 'data', data: 'BBBB', mime: 'audio/mp3' } },
    { kind: 'file', source: { kind: 'data', mime: 'application/pdf', data: 'CCCC' }, name: 'a.pdf' },
  ])
})

test('effort, format and sampling are read', () => {
  const call = read({
    reasoning_effort: 'high',
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
    stop: 'END',
    max_completion_tokens: 9,
    n: 2,
    logprobs: true,
  })
  expect(call.thinking).toMatchObject({ isEnabled: true, effort: 'high' })
  expect(call.output).toEqual({
    kind: 'schema',
    name: 'n',
    description: '',
    schema: { type: 'object' },
    isStrict: true,
  })
  expect(call.sampling).toMatchObject({ stop: ['END'], maxTokens: 9, choices: 2, hasLogProbabilities: true })
})

test('tools that are declared as in Responses, or are of an unknown kind with arguments, are the client’s to run', () => {
  const parameters = { type: 'object', properties: { id: { type: 'string' } } }
  const { tools } = read({
    tools: [
      { type: 'function', name: 'flat', description: 'Looks up', parameters, strict: true },
      { type: 'future', name: 'later', parameters },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
      { type: 'future', name: 'unknown' },
    ],
  })
  expect(tools).toMatchObject([
    { kind: 'function', name: 'flat', description: 'Looks up', schema: parameters, isStrict: true },
    { kind: 'function', name: 'later', schema: parameters },
    { kind: 'function', name: 'patch', description: expect.stringContaining('start: "a"') },
    { kind: 'built-in', tool: 'other' },
  ])
})
