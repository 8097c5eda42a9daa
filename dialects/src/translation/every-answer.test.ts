import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { noUsage } from '../core/usage'
import { dialects } from '../dialects'
import {
  answerBlocks,
  answerItems,
  answerMembers,
  answerMembersOfOthers,
  answerParts,
  candidateMembers,
  groundingMembers,
} from './test/answer-kinds'
import { plainOptions } from './test/answers'
import { upstreamCodecs } from './test/codecs'
import { unknownKinds, unknownMembers } from './test/unknown-kinds'
import { vendorAnswers, type Sample } from './test/vendor-answers'
import { translationOf } from './translation'

/** Calls of an unknown kind. */
const payloads: readonly JsonObject[] = [{ value: 'x' }, { id: 'z', input: { a: 1 } }]

const withTypes = (kinds: Readonly<Record<string, JsonObject>>): readonly JsonObject[] =>
  Object.entries(kinds).map(([type, kind]) => ({ ...kind, type }))
const single = (members: Readonly<Record<string, unknown>>): readonly JsonObject[] =>
  Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [{ [name]: value }]))
const labelOf = (value: JsonObject): string => JSON.stringify(value).slice(0, 80)

const messageStart = { type: 'message_start', message: { id: 'm', model: 'm', content: [] } }
const messageEnd = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
const words = { type: 'text', text: 'x' }

function anthropic(block: JsonObject, deltas: readonly JsonObject[] = []): Sample {
  const start = { type: 'content_block_start', index: 0, content_block: block }
  const events = deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta }))
  return {
    name: labelOf(deltas[0] ?? block),
    whole: { type: 'message', id: 'm', content: [block], stop_reason: 'end_turn' },
    stream: [messageStart, start, ...events, { type: 'content_block_stop', index: 0 }, ...messageEnd],
  }
}

const anthropicMember = (member: JsonObject): Sample => ({
  name: labelOf(member),
  whole: { type: 'message', id: 'm', content: [words], stop_reason: 'end_turn', ...member },
  stream: [
    messageStart,
    { type: 'message_delta', delta: { stop_reason: 'end_turn', ...member }, usage: {} },
    { type: 'message_stop' },
  ],
})

function responses(item: JsonObject, events: readonly JsonObject[] = []): Sample {
  const output = [{ id: 'i', ...item }]
  return {
    name: labelOf(events[0] ?? item),
    whole: { id: 'r', object: 'response', status: 'completed', output },
    stream: [
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.output_item.added', output_index: 0, item: output[0] },
      ...events,
      { type: 'response.output_item.done', output_index: 0, item: output[0] },
      { type: 'response.completed', response: { id: 'r', status: 'completed', output } },
    ],
  }
}

const outputMessage = (part: JsonObject): JsonObject => ({ type: 'message', role: 'assistant', content: [part] })

function gemini(part: JsonObject, members: JsonObject = {}): Sample {
  const whole = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', ...members }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
  }
  return { name: labelOf(Object.keys(members).length > 0 ? members : part), whole, stream: [whole] }
}

function chat(message: JsonObject, choice: JsonObject = {}): Sample {
  const finish = { index: 0, delta: {}, finish_reason: 'stop' }
  return {
    name: labelOf(Object.keys(choice).length > 0 ? choice : message),
    whole: {
      id: 'c',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...choice }],
    },
    stream: [
      { id: 'c', choices: [{ index: 0, delta: message, ...choice }] },
      { id: 'c', choices: [finish] },
    ],
  }
}

/** Members that stand beside the choices. */
function chatWith(members: JsonObject): Sample {
  const { whole, stream } = chat({ content: 'x' })
  return {
    name: labelOf(members),
    whole: { ...whole, ...members },
    stream: stream.map((chunk) => ({ ...chunk, ...members })),
  }
}

function cohere(message: JsonObject, events: readonly JsonObject[]): Sample {
  return {
    name: labelOf(message),
    whole: { id: 'c', message: { role: 'assistant', ...message }, finish_reason: 'COMPLETE', usage: {} },
    stream: [
      { type: 'message-start', id: 'c' },
      ...events,
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: {} } },
    ],
  }
}

const ollama = (message: JsonObject): Sample => {
  const whole = {
    model: 'm',
    message: { role: 'assistant', content: 'x', ...message },
    done: true,
    done_reason: 'stop',
  }
  return { name: labelOf(message), whole, stream: [whole] }
}

function converse(block: JsonObject, deltas: readonly JsonObject[]): Sample {
  return {
    name: labelOf(block),
    whole: { output: { message: { role: 'assistant', content: [block] } }, stopReason: 'end_turn', usage: {} },
    stream: [
      { role: 'assistant' },
      ...deltas,
      { contentBlockIndex: 0 },
      { stopReason: 'end_turn' },
      { usage: { inputTokens: 1, outputTokens: 1 } },
    ],
  }
}

const asDelta = (delta: JsonObject) => ({ contentBlockIndex: 0, delta })
const asStart = (start: JsonObject) => ({ contentBlockIndex: 0, start })

const samples: Partial<Record<DialectId, readonly Sample[]>> = {
  ...vendorAnswers,
  'anthropic-messages': [
    ...[...withTypes(answerBlocks), ...unknownKinds].map((block) => anthropic(block)),
    ...unknownMembers.map((member) => anthropic({ ...words, ...member })),
    ...unknownKinds.map((delta) => anthropic(words, [delta])).map((sample) => ({ ...sample, whole: {} })),
    ...['container', 'context_management', 'input_transformations', 'stop_details', 'zzMember'].map((name) =>
      anthropicMember({ [name]: { a: 1 } }),
    ),
  ],
  'openai-responses': [
    ...[...withTypes(answerItems), ...unknownKinds].map((item) => responses(item)),
    ...unknownKinds.map((part) => responses(outputMessage(part))),
    ...unknownKinds.map((section) => responses({ type: 'reasoning', content: [section] })),
    ...unknownMembers.map((member) => responses(outputMessage({ type: 'output_text', text: 'x', ...member }))),
    ...unknownMembers.map((member) => responses({ ...outputMessage({ type: 'output_text', text: 'x' }), ...member })),
    ...['response.audio.delta', 'response.zz', 'zz.delta']
      .map((type) => responses(outputMessage({ type: 'output_text', text: 'x' }), [{ type, delta: 'x' }]))
      .map((sample) => ({ ...sample, whole: {} })),
  ],
  gemini: [
    ...Object.values(answerParts).map((part) => gemini(part)),
    ...unknownMembers.flatMap((member) => [gemini(member), gemini({ text: 'x', ...member })]),
    ...[...single(candidateMembers), ...unknownMembers].map((members) => gemini({ text: 'x' }, members)),
    ...[...single(groundingMembers), ...unknownMembers].map((groundingMetadata) =>
      gemini({ text: 'x' }, { groundingMetadata }),
    ),
  ],
  'openai-chat': [
    ...[...single(answerMembers), ...single(answerMembersOfOthers)].map((message) =>
      chat({ content: 'x', ...message }),
    ),
    ...unknownMembers.map((member) => chat({ content: 'x', ...member })),
    ...unknownKinds.flatMap((kind) => [
      chat({ content: [kind] }),
      chat({ reasoning_details: [kind] }),
      chat({ thinking_blocks: [kind] }),
      chat({ content: 'x', annotations: [kind] }),
    ]),
    ...[
      { search_results: [{ title: 'x', url: 'https://mark' }] },
      { citations: ['https://mark'] },
      { web_search: [{ title: 'x', link: 'https://mark' }] },
      { search_info: { search_results: [{ title: 'x', url: 'https://mark' }] } },
      { images: [{ image_url: 'https://x' }] },
      { related_questions: ['x'] },
    ].map((members) => chatWith(members)),
    ...payloads.map((payload) => chat({ tool_calls: [{ type: 'zz', zz: payload }] })),
    ...[{ text: 'mark' }, ...unknownMembers].map((choice) => chat({}, choice)),
  ],
  'cohere-chat': [
    ...unknownKinds.map((content) =>
      cohere({ content: [content] }, [{ type: 'content-start', index: 0, delta: { message: { content } } }]),
    ),
    ...unknownMembers.map((member) => cohere({ content: [words], ...member }, [{ type: 'zz-delta', delta: member }])),
  ],
  'ollama-chat': unknownMembers.map((member) => ollama(member)),
  'bedrock-converse': [
    ...['image', 'document', 'video', 'audio', 'toolResult', 'guardContent', 'searchResult', 'zz'].flatMap((name) => [
      converse({ [name]: { a: 1 } }, [asStart({ [name]: { a: 1 } })]),
      converse({ [name]: { a: 1 } }, [asDelta({ [name]: { a: 1 } })]),
    ]),
    ...['web', 'documentChar', 'documentPage', 'documentChunk', 'searchResultLocation', 'zz'].map((place) => {
      const citation = { title: 'mark', location: { [place]: place === 'web' ? { url: 'https://mark' } : {} } }
      const content = [{ text: 'x' }]
      return converse({ citationsContent: { content, citations: [citation] } }, [
        asDelta({ text: 'x' }),
        asDelta({ citation }),
      ])
    }),
  ],
}

const requests: Partial<Record<DialectId, JsonObject>> = {
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  'openai-responses': { input: 'hi' },
  'cohere-chat-v1': { message: 'hi' },
  'ollama-generate': { prompt: 'hi' },
}
const translate = (client: DialectId, upstream: DialectId) => {
  const request = requests[client] ?? { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }
  const translated = translationOf(client, upstream)?.({ model: 'm', ...request }, { ...inBody, model: 'm' }, 'm')
  if (!translated) throw new Error('both chat')
  return translated
}

const isReported = (text: string, leftOut: readonly string[]): boolean =>
  /mark|bWFyaw/.test(text) || leftOut.some((name) => name !== '')

function isLostWhole(client: DialectId, upstream: DialectId, { whole }: Sample): boolean {
  if (Object.keys(whole).length === 0) return false
  const answer = translate(client, upstream).read(whole)
  return !isReported(JSON.stringify(answer.write(noUsage, plainOptions)), answer.leftOut)
}

const encoder = new TextEncoder()

function isLostStreamed(client: DialectId, upstream: DialectId, { stream }: Sample): boolean {
  const tap = translate(client, upstream).createTap?.(plainOptions)
  if (!tap) throw new Error('a chat streams')
  const pushed = stream.map((event) => tap.push(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)))
  tap.end()
  // What is charged and logged is what is known now.
  const leftOut = tap.leftOut ?? []
  return !isReported(Buffer.concat([...pushed, tap.finish(noUsage)]).toString(), leftOut)
}

/** What signs the last words is left out for these clients: no message of their vendor ends so. */
const isLeftOutOnPurpose = (client: DialectId, name: string): boolean =>
  client === 'anthropic-messages' && name === labelOf(answerParts.thoughtSignature)

const clients = Object.values(dialects).flatMap(({ id, codec }) => (codec?.kind === 'chat' && codec.client ? [id] : []))
const pairs = (Object.keys(samples) as DialectId[]).flatMap((upstream) =>
  clients.filter((client) => client !== upstream).map((client) => [upstream, client] as const),
)

describe.each(pairs)('what an upstream of %s responds to a client of %s', (upstream, client) => {
  test('each kind of block, item, part and member, known or not, is told or named, whole and streamed', () => {
    const all = (samples[upstream] ?? []).filter(({ name }) => !isLeftOutOnPurpose(client, name))
    expect(all.filter((sample) => isLostWhole(client, upstream, sample)).map(({ name }) => name)).toEqual([])
    expect(all.filter((sample) => isLostStreamed(client, upstream, sample)).map(({ name }) => name)).toEqual([])
  })
})

test('the answers of all upstreams are tried', () => {
  expect(Object.keys(upstreamCodecs).filter((id) => !(id in samples))).toEqual([])
})
