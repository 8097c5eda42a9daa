import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import { inBody } from '../core/views'
import { DialectError } from '../core/dialect-error'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { upstreamCodecs } from './test/codecs'
import {
  chatMembers,
  chatMembersOfOthers,
  geminiConfig,
  geminiMembers,
  messagesMembers,
  responsesMembers,
  responsesMembersOfOthers,
} from './test/members'
import { translationOf } from './translation'

/** A request with one member, and the same without it. */
interface Sample {
  readonly name: string
  readonly body: JsonObject
  readonly without: JsonObject
  /** Without the members that stand beside it as well. */
  readonly bare: JsonObject
}

type Members = Readonly<Record<string, { readonly value: unknown; readonly companions?: JsonObject }>>

const samplesOf = (members: Members, bodyOf: (members: JsonObject) => JsonObject): readonly Sample[] =>
  Object.entries(members).map(([name, { value, companions = {} }]) => ({
    name,
    body: bodyOf({ ...companions, [name]: value }),
    without: bodyOf(companions),
    bare: bodyOf({}),
  }))

const user = { role: 'user', content: 'hi' }
const inContents = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }

const clients: Partial<Record<DialectId, readonly Sample[]>> = {
  'openai-chat': samplesOf({ ...chatMembers, ...chatMembersOfOthers }, (members) => ({ messages: [user], ...members })),
  'openai-responses': samplesOf({ ...responsesMembers, ...responsesMembersOfOthers }, (members) => ({
    input: [user],
    ...members,
  })),
  'anthropic-messages': samplesOf(messagesMembers, (members) => ({ max_tokens: 9, messages: [user], ...members })),
  gemini: [
    ...samplesOf(geminiMembers, (members) => ({ ...inContents, ...members })),
    ...samplesOf(geminiConfig, (generationConfig) => ({ ...inContents, generationConfig })),
  ],
}

/** How a member reaches an upstream; null when it was lost in silence. */
function outcome(client: DialectId, upstream: DialectId, { body, without, bare }: Sample): string | null {
  const translateRequest = (request: JsonObject) => {
    const result = translationOf(client, upstream)?.({ model: 'm', ...request }, { ...inBody, model: 'm' }, 'm')
    if (!result) throw new Error('both chat')
    return result
  }
  try {
    const { warnings, body: sent } = translateRequest(body)
    const usual = translateRequest(without)
    if (JSON.stringify(sent) !== JSON.stringify(usual.body)) return 'carried'
    const isNamed = warnings.some((warning) => !usual.warnings.includes(warning))
    // What asks for nothing by itself goes with the member that it stands beside.
    const plain = translateRequest(bare)
    return isNamed || usual.warnings.some((warning) => !plain.warnings.includes(warning)) ? 'named' : null
  } catch (error) {
    if (error instanceof DialectError) return 'refused'
    throw error
  }
}

/** What models of an upstream do unless they are told otherwise. */
const doneAnyway: Partial<Record<DialectId, string>> = { 'openai-responses': 'enable_thinking' }

const upstreams = Object.keys(upstreamCodecs) as DialectId[]
const pairs = Object.keys(clients).flatMap((client) =>
  upstreams.filter((upstream) => upstream !== client).map((upstream) => [client as DialectId, upstream] as const),
)

test.each(pairs)('each member of a request of %s is carried to %s, converted, refused or named', (client, upstream) => {
  const lost = (clients[client] ?? []).filter((sample) => outcome(client, upstream, sample) === null)
  expect(lost.map(({ name }) => name).filter((name) => name !== doneAnyway[upstream])).toEqual([])
})

/** Members of every request, and those that say how the gateway shall send the answer. */
const always: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'contents',
  'max_tokens',
  'generationConfig',
  'betas',
  'stream',
  'stream_options',
  'background',
  'store',
  'service_tier',
  // What a request to count tokens holds.
  'generateContentRequest',
])

test.each(Object.keys(clients) as DialectId[])(
  'every member of %s that a request is checked for is tried',
  (client) => {
    const known = dialects[client].names
    const tried = new Set(clients[client]?.map(({ name }) => name))
    const names = [...(known?.members.keys() ?? [])].filter((name) => !known?.usual.has(name))
    expect(names.filter((name) => !tried.has(name) && !always.has(name))).toEqual([])
  },
)

describe('what is left out', () => {
  const warningsOf = (client: DialectId, upstream: DialectId, body: JsonObject) =>
    translationOf(client, upstream)?.({ model: 'm', ...body }, { ...inBody, model: 'm' }, 'm').warnings

  test('a member that asks for nothing is not named', () => {
    const body = { messages: [user], store: false, logit_bias: null, prompt_cache_key: 'k' }
    expect(warningsOf('openai-chat', 'anthropic-messages', body)).toEqual(['prompt_cache_key'])
    expect(warningsOf('openai-chat', 'gemini', { ...body, store: true })).toEqual(['store', 'prompt_cache_key'])
  })

  test('members of a configuration are named by their own names', () => {
    const generationConfig = { mediaResolution: 'MEDIA_RESOLUTION_LOW', temperature: 1 }
    expect(warningsOf('gemini', 'openai-chat', { ...inContents, generationConfig })).toEqual(['mediaResolution'])
  })
})
