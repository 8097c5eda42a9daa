import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import type { Behaviour } from '@tollgate/simulator'

import { call, eventsIn } from '../call'
import type { World } from '../world'
import { aMatrixWorld, upstreams } from './matrix-world'

setDefaultTimeout(120_000)

type Json = Record<string, unknown>
/** Members by their kinds. One that ends with `?` may be null. */
type Shape = Readonly<Record<string, Kind | `${Kind}?`>>
type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'object' | 'any'

/** What responses, their items, parts and events have at least. https://www.openresponses.org/reference, version 2026-04-24 */
const responseShape: Shape = {
  id: 'string',
  object: 'string',
  created_at: 'integer',
  completed_at: 'integer?',
  status: 'string',
  incomplete_details: 'object?',
  model: 'string',
  previous_response_id: 'string?',
  instructions: 'string?',
  output: 'list',
  error: 'object?',
  tools: 'list',
  tool_choice: 'any',
  truncation: 'string',
  parallel_tool_calls: 'boolean',
  text: 'object',
  top_p: 'number',
  presence_penalty: 'number',
  frequency_penalty: 'number',
  top_logprobs: 'integer',
  temperature: 'number',
  reasoning: 'object?',
  usage: 'object?',
  max_output_tokens: 'integer?',
  max_tool_calls: 'integer?',
  store: 'boolean',
  background: 'boolean',
  service_tier: 'string',
  metadata: 'object',
  safety_identifier: 'string?',
  prompt_cache_key: 'string?',
}
const usageShape: Shape = {
  input_tokens: 'integer',
  output_tokens: 'integer',
  total_tokens: 'integer',
  input_tokens_details: 'object',
  output_tokens_details: 'object',
}
const toolShape: Shape = {
  type: 'string',
  name: 'string',
  description: 'string?',
  parameters: 'object?',
  strict: 'boolean?',
}
const itemShapes: Readonly<Record<string, Shape>> = {
  message: { id: 'string', status: 'string', role: 'string', content: 'list' },
  function_call: { id: 'string', call_id: 'string', name: 'string', arguments: 'string', status: 'string' },
  reasoning: { id: 'string', summary: 'list' },
}
const partShapes: Readonly<Record<string, Shape>> = {
  output_text: { text: 'string', annotations: 'list' },
  refusal: { refusal: 'string' },
  summary_text: { text: 'string' },
  reasoning_text: { text: 'string' },
}

const ofResponse: Shape = { response: 'object' }
const ofItem: Shape = { output_index: 'integer', item: 'object' }
const inItem: Shape = { item_id: 'string', output_index: 'integer' }
const inContent: Shape = { ...inItem, content_index: 'integer' }
const inSummary: Shape = { ...inItem, summary_index: 'integer' }
const eventShapes: Readonly<Record<string, Shape>> = {
  'response.created': ofResponse,
  'response.in_progress': ofResponse,
  'response.completed': ofResponse,
  'response.incomplete': ofResponse,
  'response.failed': ofResponse,
  'response.output_item.added': ofItem,
  'response.output_item.done': ofItem,
  'response.content_part.added': { ...inContent, part: 'object' },
  'response.content_part.done': { ...inContent, part: 'object' },
  'response.output_text.delta': { ...inContent, delta: 'string' },
  'response.output_text.done': { ...inContent, text: 'string' },
  'response.refusal.delta': { ...inContent, delta: 'string' },
  'response.refusal.done': { ...inContent, refusal: 'string' },
  'response.reasoning_summary_part.added': { ...inSummary, part: 'object' },
  'response.reasoning_summary_part.done': { ...inSummary, part: 'object' },
  'response.reasoning_summary_text.delta': { ...inSummary, delta: 'string' },
  'response.reasoning_summary_text.done': { ...inSummary, text: 'string' },
  'response.function_call_arguments.delta': { ...inItem, delta: 'string' },
  'response.function_call_arguments.done': { ...inItem, arguments: 'string' },
  // In OpenAI's own form, which its SDKs read: the error is the event, not a member of it.
  error: { code: 'string?', message: 'string', param: 'string?' },
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : [])

const kindTests: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  any: (value) => value !== undefined && value !== null,
}

/** Returns what is wrong with the members of an object. */
const faultsIn = (where: string, value: Json, shape: Shape): string[] =>
  Object.entries(shape).flatMap(([name, kind]) => {
    const isNullable = kind.endsWith('?')
    const isRight = kindTests[(isNullable ? kind.slice(0, -1) : kind) as Kind](value[name])
    return isRight || (isNullable && value[name] === null)
      ? []
      : [`${where}: ${name} is ${JSON.stringify(value[name])}`]
  })

const partFaults = (part: Json): string[] => {
  const type = String(part['type'])
  const shape = partShapes[type]
  return shape ? faultsIn(type, part, shape) : [`a part of the type ${type}`]
}
const itemFaults = (item: Json): string[] => {
  const type = String(item['type'])
  const shape = itemShapes[type]
  if (!shape) return [`an item of the type ${type}`]
  return [...faultsIn(type, item, shape), ...objectsOf(item['content'] ?? item['summary']).flatMap(partFaults)]
}
const responseFaults = (response: Json): string[] => [
  ...faultsIn('the response', response, responseShape),
  ...(response['usage'] ? faultsIn('usage', objectOf(response['usage']), usageShape) : []),
  ...(response['error'] ? faultsIn('error', objectOf(response['error']), { code: 'string', message: 'string' }) : []),
  ...objectsOf(response['tools']).flatMap((tool) => faultsIn('a tool', tool, toolShape)),
  ...objectsOf(response['output']).flatMap(itemFaults),
]
const eventFaults = (event: Json): string[] => {
  const type = String(event['type'])
  const shape = eventShapes[type]
  if (!shape) return [`an event of the type ${type}`]
  return [
    ...faultsIn(type, event, shape),
    ...(shape['response'] ? responseFaults(objectOf(event['response'])) : []),
    ...(shape['item'] ? itemFaults(objectOf(event['item'])) : []),
    ...(shape['part'] ? partFaults(objectOf(event['part'])) : []),
  ]
}

/** The items but for one without words that holds a seal: Gemini signs at the end, and clients send it back. */
const withoutSeals = (items: readonly Json[]): Json[] =>
  items.filter(
    ({ type, summary, encrypted_content: seal }) =>
      type !== 'reasoning' || typeof seal !== 'string' || objectsOf(summary).length > 0,
  )

const weather = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

interface Case {
  readonly name: string
  readonly request: Json
  readonly upstream: Behaviour
  /** How the response ends, and the items it has. */
  readonly status: string
  readonly items: readonly string[]
}
const cases: readonly Case[] = [
  { name: 'words', request: {}, upstream: { tokens: 5 }, status: 'completed', items: ['message'] },
  {
    name: 'calls of a tool',
    request: { tools: [weather], tool_choice: 'auto' },
    upstream: { toolCalls: 2 },
    status: 'completed',
    items: ['function_call', 'function_call'],
  },
  {
    name: 'words that ran out of tokens',
    request: { max_output_tokens: 20 },
    upstream: { tokens: 5, ending: 'length' },
    status: 'incomplete',
    items: ['message'],
  },
  {
    name: 'thoughts',
    request: { reasoning: { effort: 'low', summary: 'auto' } },
    upstream: { tokens: 5, thinking: 4 },
    status: 'completed',
    items: ['reasoning', 'message'],
  },
]

let world: World
beforeAll(async () => {
  world = await aMatrixWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const post = (model: string, request: Json) =>
  call(world.gateway, world.key, { model, input: 'Say hello', ...request }, { path: '/v1/responses' })

describe.each([...upstreams])('the contract of Open Responses, over $dialect', ({ dialect, model }) => {
  test.each([...cases])('a whole response of $name', async ({ request, upstream, status, items }) => {
    world.simulator.next(upstream)
    const { status: code, text } = await post(model, request)
    expect(code).toBe(200)
    const response = objectOf(JSON.parse(text))
    expect(responseFaults(response)).toEqual([])
    expect(response).toMatchObject({ object: 'response', status, error: null })
    expect(withoutSeals(objectsOf(response['output'])).map(({ type }) => type)).toEqual([...items])
    expect(response['completed_at'] === null).toBe(status !== 'completed')
    expect(response['incomplete_details']).toEqual(status === 'completed' ? null : { reason: 'max_output_tokens' })
  })

  test.each([...cases])('a stream of $name', async ({ request, upstream, status, items }) => {
    world.simulator.next(upstream)
    const { status: code, text } = await post(model, { ...request, stream: true })
    expect(code).toBe(200)
    const events = eventsIn(text)
    expect(events.flatMap(eventFaults)).toEqual([])
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, at) => at))
    // The name of each event is the type in its data.
    expect([...text.matchAll(/^event: ?(.*)$/gm)].map(([, name]) => name)).toEqual(
      events.map(({ type }) => String(type)),
    )
    const types = events.map(({ type }) => type)
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress'])
    expect(types.at(-1)).toBe(`response.${status}`)
    const last = objectOf(events.at(-1)?.['response'])
    expect(withoutSeals(objectsOf(last['output'])).map(({ type }) => type)).toEqual([...items])
    // Each item is told from its begin to its end, in its place, and is at its end what the response has.
    for (const [at, item] of objectsOf(last['output']).entries()) {
      const ofItem = events.filter((event) => event['output_index'] === at)
      expect(ofItem[0]).toMatchObject({
        type: 'response.output_item.added',
        item: { id: item['id'], type: item['type'] },
      })
      expect(ofItem.at(-1)).toMatchObject({ type: 'response.output_item.done', item })
      for (const event of ofItem.slice(1, -1)) expect(event['item_id']).toBe(item['id'])
      const deltas = ofItem.map((event) => textOf(event['delta'])).join('')
      const words = objectsOf(item['content'] ?? item['summary']).map((part) => textOf(part['text']))
      expect(deltas).toBe([textOf(item['arguments']), ...words].join(''))
    }
  })

  test('an error in a stream comes before the response that failed', async () => {
    // So slow that the client has the first words by then; else the call would just be refused.
    world.simulator.next({ tokens: 20, gapMs: 60, fault: { kind: 'error-in-200', afterFrames: 10 } })
    const { text } = await post(model, { stream: true })
    const events = eventsIn(text)
    expect(events.flatMap(eventFaults)).toEqual([])
    // The events of a vendor of Responses are passed through, and this one says no more than the error.
    const failed = dialect === 'openai-responses' ? [] : ['response.failed']
    const types = events.map(({ type }) => type)
    expect(types.slice(types.indexOf('error'))).toEqual(['error', ...failed])
    for (const event of events.slice(types.indexOf('error') + 1))
      expect(event).toMatchObject({ response: { status: 'failed', error: { message: expect.any(String) } } })
  })

  test('a refusal is an object with its message, type, code and parameter', async () => {
    const { status, text } = await post(model, { input: 5 })
    expect(status).toBe(400)
    const { error } = JSON.parse(text) as { error: Json }
    expect(faultsIn('error', error, { message: 'string', type: 'string', code: 'string?', param: 'string?' })).toEqual(
      [],
    )
  })
})
