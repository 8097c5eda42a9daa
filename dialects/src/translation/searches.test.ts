import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { objectOf, objectsOf } from '../core/neutral/read'
import { noUsage } from '../core/usage'
import { translationOf } from './translation'
import { plainOptions as options } from './test/answers'

const page = { url: 'https://a.example/ice', title: 'Ice' }
const text = 'It freezes.'

/** What upstreams say that searched: whole, and as a stream. */
const upstreams = {
  'openai-responses': {
    whole: {
      status: 'completed',
      output: [
        {
          type: 'web_search_call',
          id: 'ws_1',
          status: 'completed',
          action: { type: 'search', query: 'ice', queries: ['ice'], sources: [{ type: 'url', url: page.url }] },
        },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text,
              annotations: [{ type: 'url_citation', start_index: 0, end_index: 2, ...page }],
            },
          ],
        },
      ],
    },
    events: (whole: JsonObject) => [
      ...objectsOf(whole['output']).map((item, output_index) => ({
        type: 'response.output_item.done',
        output_index,
        item,
      })),
      { type: 'response.completed', response: whole },
    ],
    query: 'ice',
    title: page.url,
  },
  gemini: {
    whole: {
      candidates: [
        {
          content: { parts: [{ text }], role: 'model' },
          finishReason: 'STOP',
          groundingMetadata: {
            webSearchQueries: ['ice'],
            groundingChunks: [{ web: { uri: page.url, title: page.title } }],
            groundingSupports: [{ segment: { endIndex: 2 }, groundingChunkIndices: [0] }],
          },
        },
      ],
    },
    events: (whole: JsonObject) => [whole],
    query: 'ice',
    title: page.title,
  },
  'openai-chat': {
    whole: {
      choices: [
        {
          index: 0,
          message: { content: text, annotations: [{ type: 'url_citation', url_citation: page }] },
          finish_reason: 'stop',
        },
      ],
    },
    events: ({ choices }: JsonObject) => [
      { choices: objectsOf(choices).map(({ message, ...choice }) => ({ ...choice, delta: message })) },
    ],
    query: '',
    title: page.title,
  },
} as const

const translateRequest = (upstream: DialectId, tools: readonly JsonObject[]) => {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], tools }
  const translatedCall = translationOf('anthropic-messages', upstream)?.(body, { ...inBody, model: 'm' }, 'm')
  const tap = translatedCall?.createTap?.(options)
  if (!translatedCall || !tap) throw new Error(`no translation to ${upstream}`)
  return { translatedCall, tap }
}
const search = { type: 'web_search_20250305', name: 'web_search' }

function translateStream(upstream: keyof typeof upstreams, tools: readonly JsonObject[]): string {
  const { whole, events } = upstreams[upstream]
  const { tap } = translateRequest(upstream, tools)
  const encoder = new TextEncoder()
  const parts = events(whole).map((event) => tap.push(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)))
  tap.end()
  return Buffer.concat([...parts, tap.finish(noUsage)]).toString()
}

const names = Object.keys(upstreams) as (keyof typeof upstreams)[]

describe.each(names)('a client of Messages that lets a model of %s search', (upstream) => {
  const { whole, query, title } = upstreams[upstream]
  const found = { type: 'web_search_result', url: page.url, title, encrypted_content: '', page_age: null }

  test('reads the search and what it found in a message', () => {
    const content = objectsOf(
      objectOf(translateRequest(upstream, [search]).translatedCall.read(whole).write(noUsage, options))['content'],
    )
    const id = 'srvtoolu_foreign_1'
    expect(content).toHaveLength(3)
    expect(content).toContainEqual({ type: 'server_tool_use', id, name: 'web_search', input: { query } })
    expect(content).toContainEqual({ type: 'web_search_tool_result', tool_use_id: id, content: [found] })
    expect(content).toContainEqual(expect.objectContaining({ type: 'text', text }))
  })

  test('reads them in a stream, in blocks that are numbered without gaps', () => {
    const stream = translateStream(upstream, [search])
    expect(stream).toContain(JSON.stringify({ query }).replaceAll('"', String.raw`\"`))
    expect(stream).toContain(JSON.stringify([found]))
    const starts = [...stream.matchAll(/"type":"content_block_(start|stop)".*"index":(\d)/g)].map(
      ([, kind, at]) => `${kind} ${at}`,
    )
    expect(starts).toEqual([0, 1, 2].flatMap((at) => [`start ${at}`, `stop ${at}`]))
  })

  test('reads the text alone where it has no search', () => {
    const { content } = objectOf(translateRequest(upstream, []).translatedCall.read(whole).write(noUsage, options))
    expect(objectsOf(content).map(({ type }) => type)).toEqual(['text'])
    expect(translateStream(upstream, [])).not.toContain('server_tool_use')
  })
})

test('a search with several queries has what they found behind the last one', () => {
  const action = { type: 'search', query: 'ice', queries: ['ice', 'snow'], sources: [{ type: 'url', url: page.url }] }
  const whole = { status: 'completed', output: [{ type: 'web_search_call', id: 'ws_1', status: 'completed', action }] }
  const { content } = objectOf(
    translateRequest('openai-responses', [search]).translatedCall.read(whole).write(noUsage, options),
  )
  expect(
    objectsOf(content).map((block) => objectOf(block['input'])['query'] ?? objectsOf(block['content']).length),
  ).toEqual(['ice', 0, 'snow', 1])
})

test('OpenAI’s own models are asked for the pages that a search found', () => {
  const translatedCall = translationOf('anthropic-messages', 'openai-responses')?.(
    { model: 'gpt-5.4', max_tokens: 99, messages: [{ role: 'user', content: 'hi' }], tools: [search] },
    { ...inBody, model: 'gpt-5.4' },
    'gpt-5.4',
  )
  expect(translatedCall?.body['include']).toContain('web_search_call.action.sources')
})

test('a client of Responses reads what Gemini searched for', () => {
  const translatedCall = translationOf('openai-responses', 'gemini')?.(
    { model: 'm', input: 'hi', tools: [{ type: 'web_search' }] },
    { ...inBody, model: 'm' },
    'm',
  )
  const { output } = objectOf(translatedCall?.read(upstreams.gemini.whole).write(noUsage, options))
  expect(objectsOf(output)).toContainEqual(
    expect.objectContaining({
      type: 'web_search_call',
      action: { type: 'search', query: 'ice', queries: ['ice'], sources: [{ type: 'url', url: page.url }] },
    }),
  )
})
