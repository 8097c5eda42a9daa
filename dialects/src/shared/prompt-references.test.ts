import { expect, test } from 'bun:test'

import { refersBeyondBody } from './prompt-references'

test.each<[string, object, boolean]>([
  ['a plain chat', { messages: [{ role: 'user', content: 'hi' }] }, false],
  ['a text prompt', { prompt: 'hi' }, false],
  ['a stored response', { input: 'hi', previous_response_id: 'resp_1' }, true],
  ['no stored response', { input: 'hi', previous_response_id: null }, false],
  ['a stored prompt', { prompt: { id: 'pmpt_1' } }, true],
  ['a cached content', { contents: [], cachedContent: 'cachedContents/1' }, true],
  ['a search option', { messages: [], web_search_options: {} }, true],
  ['a search that is off', { messages: [], enable_search: false }, false],
  ['functions of a chat', { tools: [{ type: 'function', function: { name: 'f' } }] }, false],
  [
    'functions of Responses',
    {
      tools: [
        { type: 'function', name: 'f' },
        { type: 'custom', name: 'g' },
      ],
    },
    false,
  ],
  ['a search of Responses', { tools: [{ type: 'web_search' }] }, true],
  [
    'tools of Anthropic',
    {
      tools: [
        { name: 'f', input_schema: {} },
        { type: 'custom', name: 'g' },
      ],
    },
    false,
  ],
  ['a search of Anthropic', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, true],
  ['functions of Gemini', { tools: [{ functionDeclarations: [{ name: 'f' }] }] }, false],
  ['a search of Gemini', { tools: [{ functionDeclarations: [], googleSearch: {} }] }, true],
  ['a search of Gemini alone', { tools: [{ googleSearch: {} }] }, true],
])('%s', (_title, body, expected) => {
  expect(refersBeyondBody({ ...body })).toBe(expected)
})
