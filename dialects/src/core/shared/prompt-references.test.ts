import { expect, test } from 'bun:test'

import type { JsonObject } from '../json'
import { withSingleElements } from './test/single-elements'
import { promptReach, refersBeyondBody } from './prompt-references'

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
])('whether a request refers beyond its body is known: %s', (_title, body, expected) => {
  expect(refersBeyondBody({ ...body })).toBe(expected)
  expect(refersBeyondBody(withSingleElements(body) as JsonObject)).toBe(expected)
})

const long = ' '.repeat(70_000)
const createRequest = (part: object) => ({ messages: [{ role: 'user', content: [part] }] })

test.each<[string, object, number, string, ReturnType<typeof promptReach>]>([
  ['a plain chat', createRequest({ type: 'text', text: 'hi' }), 0, '{}', 'texts'],
  ['a search', { tools: [{ type: 'web_search' }] }, 0, '{}', 'texts'],
  ['a function named as a tool of a vendor', { tools: [{ type: 'function', name: 'web_fetch' }] }, 0, '{}', 'texts'],
  [
    'a server of the caller, of Responses',
    { tools: [{ type: 'mcp', server_url: 'https://a.example' }] },
    0,
    '{}',
    'window',
  ],
  [
    'a server of the caller, of Messages',
    { mcp_servers: [{ type: 'url', url: 'https://a.example' }] },
    0,
    '{}',
    'window',
  ],
  ['a page that Anthropic fetches', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }, 0, '{}', 'window'],
  ['a page that Google fetches', { tools: [{ urlContext: {} }] }, 0, '{}', 'window'],
  ['a document in a long body', createRequest({ type: 'file', file: { file_data: 'data:a' } }), 1, long, 'bytes'],
  ['a document at an address', createRequest({ type: 'file', file: { file_id: 'file-1' } }), 1, '{}', 'window'],
  [
    'a film at an address in a body that is long by its blanks',
    createRequest({ type: 'video_url', video_url: { url: 'https://a' } }),
    1,
    long,
    'window',
  ],
  [
    'frames of a film at addresses, likewise',
    createRequest({ type: 'video', video: ['https://a'] }),
    1,
    long,
    'window',
  ],
  [
    'a document of Messages at an address, likewise',
    createRequest({ type: 'document', source: { type: 'url', url: 'https://a' } }),
    1,
    long,
    'window',
  ],
  [
    'a picture at an address beside a document in a long body',
    createRequest({ type: 'image_url', image_url: { url: 'https://a' } }),
    1,
    long,
    'bytes',
  ],
])('the prompt of %s is bounded by the right thing', (_of, body, files, text, expected) => {
  expect(promptReach(text, { ...body }, files)).toBe(expected)
  expect(promptReach(text, withSingleElements(body) as JsonObject, files)).toBe(expected)
})
