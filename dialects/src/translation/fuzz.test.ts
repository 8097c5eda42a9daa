import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { scanRequest } from '../core/json-text'
import { DialectError } from '../core/dialect-error'
import { dialects } from '../dialects'
import { isObject, type JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import type { NeutralCall } from '../core/neutral/call'
import type { ChatCodec } from '../core/neutral/codec'
import type { AnswerEvent, BlockKind, Delta } from '../core/neutral/events'
import { aCall, anAnswering, serverEvents, textWriter } from '../core/neutral/test/fixtures'
import { noUsage } from '../core/usage'
import { chatCodecs } from './test/codecs'
import type { ResponseOptions } from './translate'
import { translationOf } from './translation'

/** `FUZZ_RUNS=100000` tries as many broken requests, answers and streams of each dialect. */
const numRuns = Number(Bun.env['FUZZ_RUNS'] ?? 60)
const timeoutMs = 60_000 + numRuns * 20

const ids = Object.keys(chatCodecs) as DialectId[]
const codecOf = (id: DialectId): ChatCodec => {
  const codec = chatCodecs[id]
  if (!codec) throw new Error(`No codec of ${id}`)
  return codec
}

const richCall: NeutralCall = aCall({
  model: 'm',
  isStream: true,
  messages: [
    { role: 'system', parts: [{ kind: 'text', text: 'Be kind' }] },
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'Look', cache: '1h' },
        { kind: 'image', source: { kind: 'data', mime: 'image/png', data: 'AAAA' } },
        { kind: 'file', source: { kind: 'data', mime: 'application/pdf', data: 'BBBB' }, name: 'a.pdf' },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { kind: 'thinking', text: 'hm', signature: 'gAAAAAc2ln' },
        { kind: 'text', text: 'Let me see' },
        { kind: 'tool-call', id: 'call_1', name: 'f', argumentsText: '{"a":[1,{"b":"ü"}]}' },
      ],
    },
    {
      role: 'user',
      parts: [
        { kind: 'tool-result', callId: 'call_1', name: 'f', parts: [{ kind: 'text', text: 'Rain' }], isError: false },
      ],
    },
  ],
  tools: [
    { kind: 'function', name: 'f', description: 'd', schema: { type: 'object', properties: {} }, isStrict: true },
  ],
  toolChoice: { kind: 'tool', name: 'f' },
  output: { kind: 'schema', name: 'n', description: '', schema: { type: 'object' }, isStrict: true },
  thinking: { isEnabled: true, effort: 'low', budgetTokens: null, isShown: true, summary: null },
})

const block = (number: number, of: BlockKind, ...deltas: Delta[]): AnswerEvent[] => [
  { type: 'block-start', choice: 0, block: number, of },
  ...deltas.map((delta) => ({ type: 'block-delta', choice: 0, block: number, delta }) as const),
  { type: 'block-end', choice: 0, block: number },
]
const text = (content: string): Delta => ({ kind: 'text', text: content })

const richAnswer: readonly AnswerEvent[] = [
  { type: 'answer-start', id: 'a1', model: 'm', createdAt: 1 },
  ...block(0, { kind: 'thinking' }, text('hm'), { kind: 'signature', signature: 'c2ln' }),
  ...block(1, { kind: 'text' }, text('Hello '), text('you')),
  ...block(2, { kind: 'tool-call', id: 'call_a', name: 'f' }, text('{"a":'), text('1}')),
  { type: 'choice-end', choice: 0, reason: 'tool-calls', rawReason: 'tool_calls', stopSequence: null },
  { type: 'usage', usage: { ...noUsage, promptTokens: 9, completionTokens: 5 } },
  { type: 'answer-end' },
]

/** A change somewhere in a JSON value: which place, counted over all and again from the first, and what comes there. */
interface Change {
  readonly at: number
  readonly how: 'replace' | 'remove' | 'wrap' | 'repeat'
  readonly value: unknown
}
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'wrap', 'repeat'),
  value: fc.oneof(
    fc.constantFrom(
      null,
      '',
      0,
      -1,
      1e308,
      true,
      [],
      {},
      [[]],
      [{}],
      'constructor',
      '__proto__',
      '\u0000',
      'x'.repeat(5000),
    ),
    fc.jsonValue({ maxDepth: 3 }),
  ),
})
const changes = fc.array(change, { minLength: 1, maxLength: 4 })

function countPlaces(value: unknown): number {
  const members: readonly unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : []
  return members.reduce<number>((sum, member) => sum + countPlaces(member), 1)
}

function applyChange(value: unknown, { at, how, value: other }: Change): unknown {
  let left = at % countPlaces(value)
  const walk = (here: unknown): unknown => {
    left -= 1
    if (left === -1)
      return how === 'wrap'
        ? [here]
        : how === 'repeat'
          ? { again: here, and: here }
          : how === 'remove'
            ? undefined
            : other
    if (Array.isArray(here)) return here.map(walk)
    if (!isObject(here)) return here
    return Object.fromEntries(Object.entries(here).map(([name, member]) => [name, walk(member)]))
  }
  const walked: unknown = JSON.parse(JSON.stringify(walk(value)) ?? 'null')
  return walked
}

const broken = (value: unknown, all: readonly Change[]): JsonObject => {
  const result = all.reduce(applyChange, value)
  return isObject(result) ? result : { ...Object(value) }
}

let count = 0
const options = (): ResponseOptions => {
  const { call: _call, ...answering } = anAnswering()
  return {
    ...answering,
    newId: (prefix) => `${prefix}${(count += 1)}`,
    promptTokens: 3,
    thoughtsAsText: count % 2 === 0,
    taggedThoughts: count % 3 === 0,
  }
}

/** Whole events, each with JSON as its data, or an end mark. */
function expectEvents(stream: string): void {
  for (const { data } of serverEvents(stream)) {
    if (data === '[DONE]') continue
    expect(isObject(JSON.parse(data))).toBe(true)
  }
}

describe.each(ids)('broken %s', (id) => {
  const request = codecOf(id).writeCall(richCall, () => {})
  const answer = codecOf(id).writeAnswer(richAnswer, anAnswering())
  const stream = textWriter(codecOf(id), anAnswering()).write(richAnswer)

  test(
    'requests are refused with a reason or written for every upstream',
    () => {
      fc.assert(
        fc.property(changes, (all) => {
          const body = broken(request, all)
          for (const other of ids) {
            try {
              scanRequest(JSON.stringify(body))
              dialects[id].readRequest(body, { model: 'm', isStream: false })
              dialects[id].readPrompt(body)
              const translated = translationOf(id, other)?.(body, { model: 'm', isStream: false }, 'm')
              expect(JSON.stringify(translated?.body)).toStartWith('{')
            } catch (error) {
              if (!(error instanceof DialectError)) throw error
            }
          }
        }),
        { numRuns },
      )
    },
    timeoutMs,
  )

  test(
    'answers are read and written for every client',
    () => {
      const translated = ids.map((other) =>
        translationOf(other, id)?.(
          codecOf(other).writeCall(richCall, () => {}),
          { model: 'm', isStream: false },
          'm',
        ),
      )
      fc.assert(
        fc.property(changes, (all) => {
          const body = broken(answer, all)
          dialects[id].readAnswer(body).completionText()
          for (const call of translated) expect(isObject(call?.read(body).write(noUsage, options()))).toBe(true)
        }),
        { numRuns },
      )
    },
    timeoutMs,
  )

  test(
    'streams are read and written for every client, however they are cut',
    () => {
      const events = stream.split('\n\n').filter((event) => event !== '')
      const translated = ids.map((other) =>
        translationOf(other, id)?.(
          codecOf(other).writeCall(richCall, () => {}),
          { model: 'm', isStream: true },
          'm',
        ),
      )
      const breakage = fc.record({
        event: fc.nat(events.length),
        all: changes,
        drop: fc.nat(events.length * 3),
        twice: fc.nat(events.length * 3),
        cut: fc.nat(stream.length),
        garbage: fc.constantFrom(
          '',
          ': PING\n\n',
          'data: {"a":\n\n',
          'data: [1]\n\n',
          'data:\n\n',
          '\u0000\n\n',
          'event: x\n\n',
        ),
      })
      fc.assert(
        fc.property(breakage, ({ event, all, drop, twice, cut, garbage }) => {
          const reported = events.flatMap((eventText, index) => {
            if (index === drop) return [garbage]
            const now = index === event ? brokenEvent(eventText, all) : eventText
            return index === twice ? [`${now}\n\n`, `${now}\n\n`] : [`${now}\n\n`]
          })
          const bytes = new TextEncoder().encode(reported.join(''))
          const taps = [
            dialects[id].createTap({ swallowUsage: true, addUsage: true }),
            ...translated.flatMap((call) => call?.createTap?.(options()) ?? []),
          ]
          for (const [index, tap] of taps.entries()) {
            const parts = [tap.push(bytes.subarray(0, cut)).slice(), tap.push(bytes.subarray(cut)).slice()]
            tap.end()
            const usage = tap.usage
            parts.push(tap.finish(usage ?? noUsage).slice())
            tap.completionText()
            if (index > 0) expectEvents(Buffer.concat(parts).toString())
          }
        }),
        { numRuns },
      )
    },
    timeoutMs,
  )
})

function brokenEvent(event: string, all: readonly Change[]): string {
  const [head = '', data = ''] = event.split(/data: (.*)/s)
  if (!data.startsWith('{')) return event
  return `${head}data: ${JSON.stringify(broken(JSON.parse(data), all))}`
}
