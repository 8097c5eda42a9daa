import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { isObject, type JsonObject } from '../../core/json'
import type { AnswerEvent } from '../../core/neutral/events'
import { geminiCodec as codec } from './codec'
import { readJsonPath } from './partial-args'
import { contentsPrompt } from './prompt'
import { GeminiObserver } from './observe'
import { PassingTap } from '../../core/streaming/passing-tap'

interface ToolCall {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly signature: string
}

const response = (parts: readonly JsonObject[], finishReason?: string): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
  responseId: 'r1',
})
const createCallPart = (functionCall: JsonObject, more: JsonObject = {}): JsonObject => ({ functionCall, ...more })

function readStream(responses: readonly JsonObject[]): AnswerEvent[] {
  const reader = codec.createReader()
  return [...responses.flatMap((one) => reader.read({ name: '', data: JSON.stringify(one) })), ...reader.end()]
}

/** The tool calls of the events, in their order, each as a client puts it together. */
function callsIn(events: readonly AnswerEvent[]): ToolCall[] {
  const calls = new Map<number, ToolCall>()
  for (const event of events) {
    if (event.type === 'block-start' && event.of.kind === 'tool-call')
      calls.set(event.block, { id: event.of.id, name: event.of.name, text: '', signature: '' })
    const call = event.type === 'block-delta' ? calls.get(event.block) : undefined
    if (event.type !== 'block-delta' || !call) continue
    const { delta } = event
    if (delta.kind === 'text') calls.set(event.block, { ...call, text: call.text + delta.text })
    if (delta.kind === 'signature') calls.set(event.block, { ...call, signature: delta.signature })
  }
  return [...calls.values()]
}

const argsOf = (events: readonly AnswerEvent[]): unknown[] =>
  callsIn(events).map(({ text }) => JSON.parse(text) as unknown)
const endOf = (events: readonly AnswerEvent[]) => events.find(({ type }) => type === 'choice-end')

describe('a call in parts', () => {
  test('the documented parts are read as one call', () => {
    const events = readStream([
      response([{ text: 'Well: ' }]),
      response([createCallPart({ name: 'set_light', willContinue: true }, { thoughtSignature: 'c2ln' })]),
      response([
        createCallPart({
          partialArgs: [{ jsonPath: '$.location', stringValue: 'Boston', willContinue: true }],
          willContinue: true,
        }),
      ]),
      response([
        createCallPart({ partialArgs: [{ jsonPath: '$.location', stringValue: ', MA' }], willContinue: true }),
      ]),
      response([
        createCallPart({
          partialArgs: [
            { jsonPath: '$.brightness', numberValue: 50 },
            { jsonPath: '$.on', boolValue: false },
          ],
          willContinue: true,
        }),
      ]),
      response([
        createCallPart({ partialArgs: [{ jsonPath: '$.until', nullValue: 'NULL_VALUE' }], willContinue: true }),
      ]),
      response([createCallPart({})]),
      response([], 'STOP'),
    ])
    expect(callsIn(events)).toEqual([
      {
        id: expect.stringMatching(/^call_\w{24}$/),
        name: 'set_light',
        text: '{"location":"Boston, MA","brightness":50,"on":false,"until":null}',
        signature: 'c2ln',
      },
    ])
    expect(endOf(events)).toMatchObject({ reason: 'tool-calls' })
  })

  test('a call ends with its last value, or without a closing part', () => {
    const openingPart = createCallPart({ name: 'f', id: 'a', willContinue: true })
    const first = { partialArgs: [{ jsonPath: '$.items[0].id', stringValue: 'x' }], willContinue: true }
    const last = { jsonPath: '$.items[1].id', stringValue: 'y' }
    for (const end of [
      { partialArgs: [last] },
      { partialArgs: [last], willContinue: true },
      { partialArgs: [last], willContinue: false },
    ])
      expect(argsOf(readStream([response([openingPart, createCallPart(first), createCallPart(end)], 'STOP')]))).toEqual(
        [{ items: [{ id: 'x' }, { id: 'y' }] }],
      )
  })

  test('ends where another call, a whole one or a text begins', () => {
    const part = (name: string): JsonObject[] => [
      createCallPart({ name, willContinue: true }),
      createCallPart({ partialArgs: [{ jsonPath: '$.of', stringValue: name }], willContinue: true }),
    ]
    const parts = [
      ...part('a'),
      ...part('b'),
      createCallPart({ name: 'c', args: { of: 'c' } }),
      ...part('d'),
      { text: 'done' },
      ...part('e'),
    ]
    const events = readStream([response(parts, 'STOP')])
    expect(callsIn(events).map(({ name, text }) => [name, text])).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [name, `{"of":"${name}"}`]),
    )
    expect(new Set(callsIn(events).map(({ id }) => id)).size).toBe(5)
  })

  test('parts that repeat the name are matched by id', () => {
    const part = (partialArgs: JsonObject[]) => createCallPart({ name: 'f', id: 'a', partialArgs, willContinue: true })
    const events = readStream([
      response([part([{ jsonPath: '$.x', numberValue: 1 }])]),
      response([part([{ jsonPath: '$.y', numberValue: 2 }])], 'STOP'),
    ])
    expect(callsIn(events)).toEqual([{ id: 'a', name: 'f', text: '{"x":1,"y":2}', signature: '' }])
  })

  test('cut off by the limit has truncated arguments', () => {
    const openingPart = createCallPart({
      name: 'f',
      partialArgs: [{ jsonPath: '$.x', stringValue: 'half', willContinue: true }],
      willContinue: true,
    })
    const [call] = callsIn(readStream([response([openingPart], 'MAX_TOKENS')]))
    expect(() => JSON.parse(call?.text ?? '') as unknown).toThrow(SyntaxError)
    expect(callsIn(readStream([response([openingPart])]))[0]?.text).toBe('{"x":"half"')
  })

  test('a call without arguments is read', () => {
    for (const parts of [
      [createCallPart({ name: 'f' })],
      [createCallPart({ name: 'f', willContinue: true }), createCallPart({})],
    ])
      expect(argsOf(readStream([response(parts, 'STOP')]))).toEqual([{}])
    expect(callsIn(readStream([response([createCallPart({})], 'STOP')]))).toEqual([])
  })

  test('names in snake case are read', () => {
    const parts = [
      { function_call: { name: 'f', will_continue: true } },
      {
        function_call: {
          partial_args: [{ json_path: '$.a', string_value: 'x', will_continue: true }],
          will_continue: true,
        },
      },
      { function_call: { partial_args: [{ json_path: '$.a', string_value: 'y' }] } },
    ]
    expect(argsOf(readStream([response(parts, 'STOP')]))).toEqual([{ a: 'xy' }])
  })

  test.each<[string, JsonObject[]]>([
    ['an index beyond all memory', [{ jsonPath: '$.a[4294967295]', numberValue: 1 }]],
    ['an invalid path', [{ jsonPath: 'a..b', numberValue: 1 }, { jsonPath: '$[', numberValue: 1 }, { numberValue: 1 }]],
    ['a path to everything', [{ jsonPath: '$', stringValue: 'x' }]],
    [
      'a path through a text',
      [
        { jsonPath: '$.a', stringValue: 'x' },
        { jsonPath: '$.a.b', numberValue: 1 },
      ],
    ],
    ['an inherited name', [{ jsonPath: '$.__proto__.polluted', boolValue: true }]],
    ['very many levels', [{ jsonPath: `$${'.a'.repeat(100_000)}`, numberValue: 1 }]],
    ['an invalid value', [{ jsonPath: '$.a', stringValue: 7 }]],
  ])('a call with %s breaks nothing', (_what, partialArgs) => {
    const events = readStream([response([createCallPart({ name: 'f', partialArgs })], 'STOP')])
    expect(callsIn(events)).toHaveLength(1)
    expect(callsIn(events)[0]?.text.length).toBeLessThan(100)
    expect('polluted' in {}).toBe(false)
  })
})

/** Returns a value as the vendor streams it: scalars with their paths. Only scalars have one, so no container is empty. */
const { tree: anyTree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('tree'), { minKeys: 1, maxKeys: 4 }),
  ),
}))
const anyArgs = fc.dictionary(fc.string({ unit: 'binary' }), anyTree, { maxKeys: 5 })

const quoteName = (name: string, isDouble: boolean): string =>
  isDouble
    ? JSON.stringify(name)
    : `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const stepOf = (name: string, form: number): string =>
  form === 0 && /^[a-zA-Z_]\w*$/.test(name) ? `.${name}` : `[${quoteName(name, form !== 1)}]`

/** The pieces of a value: texts cut into parts of this size. */
function piecesOf(value: unknown, path: string, size: number, form: number): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => piecesOf(item, `${path}[${at}]`, size, form))
  if (isObject(value))
    return Object.entries(value).flatMap(([name, part]) => piecesOf(part, path + stepOf(name, form), size, form))
  if (typeof value === 'number') return [{ jsonPath: path, numberValue: value }]
  if (typeof value === 'boolean') return [{ jsonPath: path, boolValue: value }]
  if (typeof value !== 'string') return [{ jsonPath: path, nullValue: 'NULL_VALUE' }]
  const letters = Array.from(value)
  const parts = Array.from({ length: Math.max(1, Math.ceil(letters.length / size)) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  )
  return parts.map((part, at) => ({
    jsonPath: path,
    stringValue: part,
    ...(at < parts.length - 1 && { willContinue: true }),
  }))
}

/** In groups of these sizes, in turns. */
function groupItems<Item>(items: readonly Item[], sizes: readonly number[]): Item[][] {
  const groups: Item[][] = []
  for (let at = 0, turn = 0; at < items.length; turn += 1)
    groups.push(items.slice(at, (at += sizes[turn % sizes.length] ?? 1)))
  return groups
}

const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 })

test('any arguments, split in any way, are read as the same call', () => {
  fc.assert(
    fc.property(
      anyArgs,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 2 }),
      sizes,
      sizes,
      fc.constantFrom('none', 'empty', 'last'),
      (args, size, form, perPart, perResponse, ending) => {
        const groups = groupItems(piecesOf(args, '$', size, form), perPart)
        const inner = groups.map((partialArgs, at) =>
          createCallPart({ partialArgs, ...((ending !== 'last' || at < groups.length - 1) && { willContinue: true }) }),
        )
        const parts = [
          createCallPart({ name: 'f', willContinue: true }),
          ...inner,
          ...(ending === 'empty' ? [createCallPart({})] : []),
        ]
        const stream = groupItems(parts, perResponse).map((some) => response(some))
        for (const events of [
          readStream([...stream, response([], 'STOP')]),
          codec.readAnswer(response(parts, 'STOP')),
        ]) {
          expect(argsOf(events)).toEqual([JSON.parse(JSON.stringify(args))])
          expect(endOf(events)).toMatchObject({ reason: 'tool-calls' })
        }
      },
    ),
  )
})

test('a path names each step as it was written', () => {
  expect(readJsonPath('$.foo.bar[0].data')).toEqual(['foo', 'bar', 0, 'data'])
  expect(readJsonPath(`$['a b']["c'd"]['e\\'f'].g-h["\\u00e9\\n"]`)).toEqual(['a b', "c'd", "e'f", 'g-h', 'é\n'])
  expect(readJsonPath('$')).toEqual([])
  for (const invalidPath of ['', 'a', '$..a', '$[*]', '$[1', '$[-1]', '$.a[?(@.b)]'])
    expect(readJsonPath(invalidPath)).toBeNull()
})

test('a client of the same dialect gets the parts as they came, and they count as one call', () => {
  const parts = [
    createCallPart({ name: 'f', willContinue: true }),
    createCallPart({ partialArgs: [{ jsonPath: '$.a', stringValue: 'some words' }], willContinue: true }),
    createCallPart({}),
  ]
  const events = parts.map((part) => `data: ${JSON.stringify(response([part]))}\n\n`)
  const tap = new PassingTap(new GeminiObserver())
  const passed = events.map((event) => new TextDecoder().decode(tap.push(new TextEncoder().encode(event))))
  expect(passed).toEqual(events)
  expect([tap.toolCalls, tap.isEmpty, tap.completionText()]).toEqual([1, false, 'fsome words'])
})

test('a word that is split over the parts of a call is one word of the prompt', () => {
  const split = (stringValue: string, more: object = {}) =>
    createCallPart({ partialArgs: [{ jsonPath: '$.a', stringValue, willContinue: true }], willContinue: true, ...more })
  const parts = [split('forb', { name: 'f' }), split('idd'), split('en'), split('next', { name: 'g' })]
  expect(contentsPrompt({ contents: [{ role: 'model', parts }] }).texts).toEqual(['f', 'forbidden', 'g', 'next'])
})
