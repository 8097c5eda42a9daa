import { expect, test } from 'bun:test'

import { chatCallOf } from './chat-call'
import { anthropicBody, geminiCall, responsesBody } from './dialect-bodies'
import { snippetLanguages } from './snippet-languages'
import { snippetOf } from './snippet-of'
import { requestOf, snippetDialects } from './snippet-request'

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const messages = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Where is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
    ],
  },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"city":"Oslo"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'snow' },
]
const parameters = {
  temperature: 0.3,
  max_tokens: 64,
  stop: ['END'],
  seed: 42,
  tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters: schema } }],
  response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
}
const call = chatCallOf(messages, parameters)

test('a conversation with an image, a tool and its result is converted to Messages', () => {
  expect(anthropicBody(call)).toEqual({
    max_tokens: 64,
    system: 'Be brief.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Where is this?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQID' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { city: 'Oslo' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'snow' }] },
    ],
    temperature: 0.3,
    stop_sequences: ['END'],
    tools: [{ name: 'look', description: 'Looks', input_schema: schema }],
  })
})

test('a conversation with an image, a tool and its result is converted to Gemini', () => {
  expect(geminiCall(call)).toEqual({
    system: 'Be brief.',
    contents: [
      { role: 'user', parts: [{ text: 'Where is this?' }, { inlineData: { mimeType: 'image/png', data: 'AQID' } }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: { city: 'Oslo' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: { result: 'snow' } } }] },
    ],
    generation: {
      temperature: 0.3,
      maxOutputTokens: 64,
      stopSequences: ['END'],
      seed: 42,
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    },
    tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks', parametersJsonSchema: schema }] }],
  })
})

test('a conversation with an image, a tool and its result is converted to Responses', () => {
  expect(responsesBody(call)).toEqual({
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Where is this?' },
          { type: 'input_image', image_url: 'data:image/png;base64,AQID' },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"city":"Oslo"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'snow' },
    ],
    temperature: 0.3,
    max_output_tokens: 64,
    tools: [{ type: 'function', name: 'look', description: 'Looks', parameters: schema }],
    text: { format: { type: 'json_schema', name: 'answer', strict: true, schema } },
  })
})

test.each(snippetDialects.flatMap((dialect) => snippetLanguages.map((language) => [dialect, language] as const)))(
  'the conversation is in the example for %s in %s',
  (dialect, language) => {
    const code = snippetOf(language, { address: 'https://gate.example', apiKey: 'sk-x', model: 'm', dialect, messages })
    for (const text of ['Be brief.', 'Where is this?', 'snow']) expect(code).toContain(text)
  },
)

test('settings of a call over HTTP are where Gemini reads them', () => {
  const target = { address: 'https://gate.example', apiKey: 'sk-x', model: 'm', dialect: 'gemini' as const }
  expect(requestOf({ ...target, messages: messages.slice(0, 1), parameters: { temperature: 0.3 } }).body).toEqual({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [],
    generationConfig: { temperature: 0.3 },
  })
})
