import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../json'
import { withSingleElements } from './test/single-elements'
import { plainUse, possibleUse, alwaysSearches, toolLimits } from './possible-use'

const of = (body: JsonObject) => possibleUse(JSON.stringify(body), body)

describe('a request may cause', () => {
  test('nothing but text, for which there is one object', () => {
    const declared = { type: 'function', function: { name: 'web_search', parameters: {} } }
    for (const body of [
      { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
      { tools: [declared, { name: 'web_search', input_schema: {} }, { type: 'custom', name: 'web_search' }] },
      { tools: [{ functionDeclarations: [{ name: 'googleSearch' }] }] },
      {
        enable_search: false,
        search_parameters: { mode: 'off' },
        web_search: { enable: false },
        plugins: [{ id: 'file-parser' }],
      },
      { modalities: ['text'], generationConfig: { responseModalities: ['TEXT'] } },
      { messages: [{ role: 'user', content: 'what is "cache_control": {"ttl":"1h"}?' }] },
    ])
      expect(of(body)).toBe(plainUse)
  })

  test.each<[string, JsonObject, '5m' | '1h']>([
    ['five minutes by default', { system: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] }, '5m'],
    ['an hour', { cache_control: { type: 'ephemeral', ttl: '1h' } }, '1h'],
    [
      'an hour among marks for less',
      { tools: [{ cache_control: {} }], system: [{ cache_control: { ttl: '1h' } }] },
      '1h',
    ],
  ])('writes to the cache for %s', (_name, body, cacheMarks) => {
    expect(of(body)).toEqual({ ...plainUse, cacheMarks })
  })

  test.each<[string, JsonObject]>([
    ['OpenAI', { modalities: ['text', 'audio'] }],
    ['Gemini', { generationConfig: { responseModalities: ['AUDIO'] } }],
    ['Gemini in snake case', { generation_config: { response_modalities: ['audio'] } }],
    ['Gemini in numbers', { generationConfig: { responseModalities: [1, 3] } }],
  ])('speech, in the words of %s', (_name, body) => {
    expect(of(body)).toEqual({ ...plainUse, isSpoken: true })
    expect(of(withSingleElements(body) as JsonObject)).toEqual(of(body))
  })

  test.each<[string, JsonObject, object]>([
    ['OpenAI', { tools: [{ type: 'web_search_preview' }, { type: 'file_search' }] }, { webSearch: 1, fileSearch: 1 }],
    ['OpenAI', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, { codeInterpreter: 1 }],
    ['OpenAI chat', { web_search_options: {}, tools: [{ type: 'function', function: {} }] }, { webSearch: 1 }],
    ['Anthropic', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, { webSearch: 1 }],
    ['Anthropic', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }, { codeInterpreter: 1 }],
    ['xAI', { search_parameters: { mode: 'auto' } }, { webSearch: 1 }],
    ['xAI', { tools: [{ type: 'x_search' }, { type: 'code_interpreter' }] }, { webSearch: 1, codeInterpreter: 1 }],
    ['Alibaba', { enable_search: true, tools: [{ type: 'code_interpreter' }] }, { webSearch: 1, codeInterpreter: 1 }],
    ['Baidu', { web_search: { enable: true } }, { webSearch: 1 }],
    ['Tencent', { enable_enhancement: true }, { webSearch: 1 }],
    ['OpenRouter', { plugins: [{ id: 'web', max_results: 3 }] }, { webSearch: 1 }],
    ['Gemini', { tools: [{ googleSearch: {} }] }, { webSearch: 1 }],
    ['Gemini', { tools: [{ google_search_retrieval: {} }] }, { webSearch: 1 }],
  ])('calls of the tools of the vendor, in the words of %s', (_name, body, tools) => {
    expect(of(body)).toEqual({ ...plainUse, tools, maxToolCalls: tools })
    expect(of(withSingleElements(body) as JsonObject)).toEqual(of(body))
  })

  test('a tool runs as often as the request allows, and not at all where it forbids it', () => {
    const search = (uses: number) => ({ type: 'web_search_20250305', name: 'web_search', max_uses: uses })
    expect(of({ tools: [search(5)] })).toMatchObject({ tools: { webSearch: 1 }, maxToolCalls: { webSearch: 5 } })
    expect(of({ tools: [search(5), search(3)] }).maxToolCalls).toEqual({ webSearch: 8 })
    expect(of({ tools: [search(0)] }).tools).toEqual({})
    expect(of({ tools: [search(1e9)] }).maxToolCalls).toEqual({ webSearch: 100 })
    const image = (options: object) => of({ tools: [{ type: 'image_generation', ...options }], max_tool_calls: 2 })
    expect(image({ quality: 'low', size: '1024x1024' })).toMatchObject({
      tools: { imageGeneration: 1 },
      maxToolCalls: { imageGeneration: 2 },
    })
    expect(image({}).tools).toEqual({ imageGeneration: 23 })
    expect(of({ prompt: { id: 'pmpt_1' } }).tools).toEqual({ webSearch: 1, fileSearch: 1, codeInterpreter: 1 })
    expect(of({ tools: [{ type: 'web_search' }], max_tool_calls: 4 }).maxToolCalls).toEqual({ webSearch: 4 })
  })

  test.each<[string, JsonObject, object]>([
    ['none', { tools: [{ type: 'function', function: { name: 'f' } }] }, {}],
    ['those with a limit', { tools: [{ type: 'web_search_20250305', max_uses: 2 }] }, { webSearch: 2 }],
    ['those without', { tools: [{ googleSearch: {} }] }, { webSearch: Infinity }],
    [
      'any that a stored prompt may bring',
      { prompt: { id: 'p' } },
      { webSearch: Infinity, fileSearch: Infinity, codeInterpreter: Infinity, imageGeneration: Infinity },
    ],
  ])('the limits of tools: %s', (_name, body, limits) => {
    expect(toolLimits(body)).toEqual(limits)
  })
})

test.each([
  ['openai/gpt-4o:online', true],
  ['sonar-pro', true],
  ['perplexity/sonar', true],
  ['gpt-4o-search-preview-2025-03-11', true],
  ['resonar-2', false],
  ['gpt-4o', false],
])('%s searches for every response: %p', (model, expected) => {
  expect(alwaysSearches(model)).toBe(expected)
})
