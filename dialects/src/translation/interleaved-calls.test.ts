import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { anthropicMessagesCodec } from '../chat/anthropic-messages/codec'
import { cohereChatCodec } from '../chat/cohere-chat/codec'
import type { JsonObject } from '../core/json'
import { geminiCodec } from '../chat/gemini/codec'
import type { AnswerEvent } from '../core/neutral/events'
import type { UpstreamCodec } from '../core/neutral/codec'
import { openAiChatCodec } from '../chat/openai-chat/codec'
import { openAiResponsesCodec } from '../chat/openai-responses/codec'

interface Vendor {
  readonly codec: UpstreamCodec
  /** The events of one call, its arguments in these pieces. */
  readonly call: (index: number, pieces: readonly string[]) => JsonObject[]
  readonly end: JsonObject
}

const idOf = (index: number) => `id_${index}`
const nameOf = (index: number) => `f${index}`

const chunk = (call: JsonObject): JsonObject => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })
const chatEnd: JsonObject = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }

const vendors: Readonly<Record<string, Vendor>> = {
  'Chat Completions': {
    codec: openAiChatCodec,
    call: (index, pieces) => [
      chunk({ index, id: idOf(index), function: { name: nameOf(index), arguments: '' } }),
      ...pieces.map((text) => chunk({ index, function: { arguments: text } })),
    ],
    end: chatEnd,
  },
  'Chat Completions with one index and repeated ids': {
    codec: openAiChatCodec,
    call: (index, pieces) =>
      ['', ...pieces].map((text) =>
        chunk({ index: 0, id: idOf(index), function: { name: nameOf(index), arguments: text } }),
      ),
    end: chatEnd,
  },
  Responses: {
    codec: openAiResponsesCodec,
    call: (index, pieces) => {
      const item = { type: 'function_call', id: `fc_${index}`, call_id: idOf(index), name: nameOf(index) }
      const place = { output_index: index, item_id: item.id }
      return [
        { type: 'response.output_item.added', ...place, item: { ...item, arguments: '' } },
        ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
        { type: 'response.output_item.done', ...place, item: { ...item, arguments: pieces.join('') } },
      ]
    },
    end: { type: 'response.completed', response: {} },
  },
  Messages: {
    codec: anthropicMessagesCodec,
    call: (index, pieces) => [...messagesCall(index, pieces), { type: 'content_block_stop', index }],
    end: { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  },
  'Messages without the ends of blocks': {
    codec: anthropicMessagesCodec,
    call: (index, pieces) => messagesCall(index, pieces),
    end: { type: 'message_stop' },
  },
}

function messagesCall(index: number, pieces: readonly string[]): JsonObject[] {
  const block = { type: 'tool_use', id: idOf(index), name: nameOf(index), input: {} }
  return [
    { type: 'content_block_start', index, content_block: block },
    ...pieces.map((text) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: text },
    })),
  ]
}

/** Reads events and returns each call of the answer, as a client puts it together; checks that one block is open at a time. */
function callsOf({ codec }: Vendor, events: readonly JsonObject[]) {
  const reader = codec.createReader()
  const read = [...events.flatMap((event) => [...reader.read(serverEvent(event))]), ...reader.end()]
  const calls: { id: string; name: string; text: string }[] = []
  let open: number | null = null
  for (const event of read) {
    if (event.type === 'block-start') {
      expect([open, event.block]).toEqual([null, calls.length])
      open = event.block
      if (event.of.kind === 'tool-call') calls.push({ id: event.of.id, name: event.of.name, text: '' })
    } else if (event.type === 'block-delta' && event.delta.kind === 'text') {
      expect<number | null>(event.block).toBe(open)
      const call = calls[event.block]
      if (call) call.text += event.delta.text
    } else if (event.type === 'block-end') open = null
  }
  return calls
}

const serverEvent = (event: JsonObject) => ({ name: '', data: JSON.stringify(event) })

/** Arguments in pieces, of which none is empty. */
const pieces = fc
  .tuple(
    fc.dictionary(fc.string({ maxLength: 4 }), fc.constantFrom('}', '{"', '\\', 1, null), { maxKeys: 3 }),
    fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
  )
  .map(([args, sizes]) => cut(JSON.stringify(args), sizes))

function cut(text: string, sizes: readonly number[]): string[] {
  const cuts: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn += 1)
    cuts.push(text.slice(at, (at += sizes[turn % sizes.length] ?? 1)))
  return cuts
}

/** Merges the events of calls as the turns say. Each keeps its own order, and begins after the call before it. */
function interleaveCalls(calls: readonly (readonly JsonObject[])[], turns: readonly number[]): JsonObject[] {
  const merged: JsonObject[] = []
  const next = calls.map(() => 0)
  for (let turn = 0; ; turn += 1) {
    const ready = calls.flatMap((events, at) =>
      (next[at] ?? 0) < events.length && (at === 0 || (next[at - 1] ?? 0) > 0) ? [at] : [],
    )
    const at = ready[(turns[turn % turns.length] ?? 0) % ready.length]
    if (at === undefined) return merged
    const event = calls[at]?.[next[at] ?? 0]
    next[at] = (next[at] ?? 0) + 1
    if (event) merged.push(event)
  }
}

describe.each(Object.entries(vendors))('%s', (_name, vendor) => {
  test('calls whose pieces alternate are read whole, one after the other', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 2, maxLength: 5 }),
        fc.array(fc.nat(4), { minLength: 1, maxLength: 30 }),
        (calls, turns) => {
          const queues = calls.map((texts, index) => vendor.call(index, texts))
          const expected = calls.map((texts, index) => ({
            id: idOf(index),
            name: nameOf(index),
            text: texts.join(''),
          }))
          expect(callsOf(vendor, [...interleaveCalls(queues, turns), vendor.end])).toEqual(expected)
        },
      ),
    )
  })

  test('calls that follow one another are each read as they come', () => {
    const reader = vendor.codec.createReader()
    const read = (event: JsonObject) => reader.read(serverEvent(event)).map(({ type }) => type)
    for (const index of [0, 1, 2]) {
      const [start, ...rest] = vendor.call(index, ['{"a":', '1}'])
      if (!start) throw new Error('a call has events')
      expect(read(start)).toContain('block-start')
      expect(rest.slice(0, 2).map(read)).toEqual([['block-delta'], ['block-delta']])
      for (const event of rest.slice(2)) expect(read(event)).not.toContain('block-delta')
    }
  })
})

test('calls of a host that names neither id nor index are told apart', () => {
  const call = (name: string, args: string): JsonObject => chunk({ function: { name, arguments: args } })
  const vendor = vendors['Chat Completions']
  if (!vendor) throw new Error('it is in the table')
  const events = [call('f', '{"a":1}'), call('g', '{"b":2}'), call('f', '{}'), chatEnd]
  expect(callsOf(vendor, events)).toEqual([
    { id: 'call_0_0', name: 'f', text: '{"a":1}' },
    { id: 'call_0_1', name: 'g', text: '{"b":2}' },
    { id: 'call_0_2', name: 'f', text: '{}' },
  ])
})

test('the free text of custom tools that alternate is read whole, though it looks like an object', () => {
  const piece = (index: number, input: string, name = '') =>
    chunk({ index, type: 'custom', ...(name && { id: idOf(index) }), custom: { ...(name && { name }), input } })
  const vendor = vendors['Chat Completions']
  if (!vendor) throw new Error('it is in the table')
  const events = [piece(0, '{}', 'f0'), piece(1, 'b', 'f1'), piece(0, ' more'), piece(1, '!'), chatEnd]
  expect(callsOf(vendor, events)).toEqual([
    { id: 'id_0', name: 'f0', text: '{} more' },
    { id: 'id_1', name: 'f1', text: 'b!' },
  ])
})

const cohere: Vendor = {
  codec: cohereChatCodec,
  call: (index, pieces) => {
    const call = { id: idOf(index), function: { name: nameOf(index), arguments: '' } }
    const createDelta = (tool_calls: JsonObject) => ({ index, delta: { message: { tool_calls } } })
    return [
      { type: 'tool-call-start', ...createDelta(call) },
      ...pieces.map((text) => ({ type: 'tool-call-delta', ...createDelta({ function: { arguments: text } }) })),
      { type: 'tool-call-end', index },
    ]
  },
  end: { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
}

/** Words and thoughts as a vendor streams them, at the place of a call where its blocks have places. */
const words: Readonly<Record<string, (text: string) => readonly JsonObject[]>> = {
  'Chat Completions': (text) => [
    { choices: [{ index: 0, delta: { content: text } }] },
    { choices: [{ index: 0, delta: { reasoning_content: text } }] },
  ],
  'Chat Completions with one index and repeated ids': (text) => [{ choices: [{ index: 0, delta: { content: text } }] }],
  Messages: (text) => [
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_delta', index: 9, delta: { type: 'thinking_delta', thinking: text } },
  ],
  Cohere: (text) => [
    { type: 'content-delta', index: 0, delta: { message: { content: { text } } } },
    { type: 'tool-plan-delta', delta: { message: { tool_plan: text } } },
  ],
  'Messages without the ends of blocks': (text) => [
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  ],
}

test.each(Object.entries(words))(
  '%s: words between the pieces of calls break none off, and are not lost',
  (name, writeWords) => {
    const vendor = name === 'Cohere' ? cohere : vendors[name]
    if (!vendor) throw new Error('it is in the table')
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 5 }),
        (calls, places) => {
          const events = calls.flatMap((texts, index) => vendor.call(index, texts))
          const insertedWords = places.map(([at, which], number) => {
            const reported = writeWords(`<${number}>`)
            // Behind the first event, which begins a call.
            events.splice(1 + (at % events.length), 0, reported[which % reported.length] ?? {})
            return `<${number}>`
          })
          const reader = vendor.codec.createReader()
          const read = [...[...events, vendor.end].flatMap((event) => reader.read(serverEvent(event))), ...reader.end()]
          const blocks = blocksOf(read)
          const called = blocks.filter(({ kind }) => kind === 'tool-call').map(({ text }) => text)
          expect(called).toEqual(calls.map((texts) => texts.join('')))
          const rest = blocks.filter(({ kind }) => kind !== 'tool-call').map(({ text }) => text)
          expect(rest.join('').match(/<\d>/g)?.toSorted()).toEqual(insertedWords.toSorted())
        },
      ),
    )
  },
)

test('words between the parts of a call of Gemini break it not off', () => {
  const part = (parts: readonly JsonObject[], finishReason?: string): JsonObject => ({
    candidates: [{ content: { parts }, ...(finishReason && { finishReason }) }],
  })
  const reader = geminiCodec.createReader()
  const value = (stringValue: string, willContinue: boolean) => ({
    functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue, willContinue }], willContinue: true },
  })
  const events = [
    part([{ functionCall: { name: 'f', willContinue: true } }]),
    part([value('Pra', true)]),
    part([{ text: 'hm', thought: true }]),
    part([{ text: 'well' }]),
    part([value('gue', false)]),
    part([{ functionCall: {} }], 'STOP'),
  ]
  const read = [...events.flatMap((event) => reader.read(serverEvent(event))), ...reader.end()]
  expect(blocksOf(read)).toEqual([
    { kind: 'thinking', text: 'hm' },
    { kind: 'text', text: 'well' },
    { kind: 'tool-call', text: '{"city":"Prague"}' },
  ])
})

function blocksOf(events: readonly AnswerEvent[]): { kind: string; text: string }[] {
  const blocks: { kind: string; text: string }[] = []
  for (const event of events) {
    if (event.type === 'block-start') blocks[event.block] = { kind: event.of.kind, text: '' }
    const block = event.type === 'block-delta' ? blocks[event.block] : undefined
    if (event.type === 'block-delta' && event.delta.kind === 'text' && block) block.text += event.delta.text
  }
  return blocks
}

test.each(Object.entries(words))(
  '%s: pieces that wait for a call become few, and none of their text is lost',
  (name, piecesOf) => {
    const vendor = name === 'Cohere' ? cohere : vendors[name]
    if (!vendor) throw new Error('it is in the table')
    const count = 10_000
    const [start, ...rest] = vendor.call(0, ['{'])
    if (!start) throw new Error('a call has events')
    const [word] = piecesOf('w')
    if (!word) throw new Error('it says something')
    const reader = vendor.codec.createReader()
    const read = [start, ...rest.slice(0, 1), ...Array.from({ length: count }, () => structuredClone(word))].flatMap(
      (event) => reader.read(serverEvent(event)),
    )
    const events = [...read, ...reader.end()]
    const texts = events.flatMap((event) =>
      event.type === 'block-delta' && event.delta.kind === 'text' ? [event.delta.text] : [],
    )
    expect(texts.join('').replaceAll(/[^w]/g, '')).toHaveLength(count)
    expect(texts.length).toBeLessThan(10)
  },
)
