import { describe, expect, test } from 'bun:test'

import { openAiChat } from '../../chat/openai-chat/dialect'
import { openAiChatCodec } from '../../chat/openai-chat/codec'
import { readChatAnswer } from './response'
import { reportedSearches } from './searches'

const tokens = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const citation = { type: 'url_citation', url_citation: { url: 'https://example.com', title: 'Example' } }

describe('a usage reports how often the vendor searched', () => {
  test.each<[string, object, string, number | null]>([
    ['OpenRouter', { server_tool_use: { web_search_requests: 3 } }, 'm', 3],
    [
      'xAI',
      { server_side_tool_usage_details: { web_search_calls: 2, x_search_calls: 1, mcp_calls: 4 } },
      'grok-4.3',
      3,
    ],
    [
      'xAI, without any',
      { num_sources_used: 0, server_side_tool_usage_details: { web_search_calls: 0 } },
      'grok-4.3',
      0,
    ],
    ["xAI's older Live Search", { num_sources_used: 4 }, 'grok-3', 4],
    ['Perplexity, billed by the query', { num_search_queries: 21 }, 'sonar-deep-research', 21],
    ['Perplexity, billed by the request', { num_search_queries: 3 }, 'sonar-pro', 1],
    ['Alibaba', { plugins: { search: { count: 1, strategy: 'agent' } } }, 'qwen-plus', 1],
    ['Alibaba, as tools', { x_tools: { web_search: { count: 2 } } }, 'qwen3-max', 2],
    ['a vendor that does not say', { num_sources_used: 0 }, 'm', null],
    ['a vendor that says nonsense', { num_search_queries: -1, plugins: { search: { count: 'many' } } }, 'm', null],
  ])('the searches of %s are counted', (_vendor, members, model, searches) => {
    expect(reportedSearches({ ...tokens, ...members }, model)).toBe(searches)
  })
})

const answers: readonly [string, object, object][] = [
  [
    'counts what the usage reports',
    { usage: { ...tokens, server_tool_use: { web_search_requests: 2 } } },
    { webSearch: 2 },
  ],
  ['with citations counts one search', { usage: tokens, choices: [{ annotations: [citation] }] }, { webSearch: 1 }],
  [
    'with pages beside its choices counts one search',
    { usage: tokens, citations: ['https://example.com'] },
    { webSearch: 1 },
  ],
  [
    'with search results counts one search',
    { usage: tokens, search_results: [{ url: 'https://a.example' }] },
    { webSearch: 1 },
  ],
  [
    'of Zhipu with results counts one search',
    { usage: tokens, web_search: [{ link: 'https://a.example' }] },
    { webSearch: 1 },
  ],
  [
    'with results of Tencent counts one search',
    { usage: tokens, search_info: { search_results: [{ url: 'https://a.example' }] } },
    { webSearch: 1 },
  ],
  [
    'that cites pages of its prompt counts none where the usage says so',
    { usage: { ...tokens, server_side_tool_usage_details: { web_search_calls: 0 } }, citations: ['https://a.example'] },
    {},
  ],
  ['without sources counts none', { usage: tokens, citations: [], search_results: [{ title: 'x' }] }, {}],
]

const choicesOf = (answer: object, part: 'message' | 'delta') => {
  const members = 'choices' in answer && Array.isArray(answer.choices) ? (answer.choices[0] as object) : {}
  return [{ index: 0, [part]: { role: 'assistant', content: 'hi', ...members }, finish_reason: 'stop' }]
}

describe('an answer', () => {
  test.each(answers)('%s', (_name, answer, toolCalls) => {
    const view = readChatAnswer({ model: 'm', ...answer, choices: choicesOf(answer, 'message') })
    expect(view.usage?.toolCalls).toEqual(toolCalls)
  })

  test('a response that searched without usage is counted with its search', () => {
    const view = readChatAnswer({ choices: choicesOf({ choices: [{ annotations: [citation] }] }, 'message') })
    expect(view.usage).toMatchObject({ unreported: 'all', toolCalls: { webSearch: 1 } })
  })
})

describe('a stream', () => {
  const text = (content: string) => ({ model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })
  const eventsOf = (answer: object) => {
    const { usage, ...members } = answer as { usage?: object }
    const chunks = [
      text('a "url_citation"'),
      text('b'),
      { model: 'm', ...members, choices: choicesOf(members, 'delta') },
    ]
    return [...chunks, { model: 'm', choices: [], usage }].map((chunk) => JSON.stringify(chunk))
  }

  test.each(answers)('%s, passed through', (_name, answer, toolCalls) => {
    const tap = openAiChat.createTap({ swallowUsage: false, addUsage: false })
    for (const data of eventsOf(answer)) tap.push(new TextEncoder().encode(`data: ${data}\n\n`))
    expect(tap.usage?.toolCalls).toEqual(toolCalls)
  })

  test.each(answers)('%s, translated', (_name, answer, toolCalls) => {
    const reader = openAiChatCodec.createReader()
    for (const data of eventsOf(answer)) reader.read({ name: '', data })
    expect(reader.toolCalls).toEqual(toolCalls)
  })
})
