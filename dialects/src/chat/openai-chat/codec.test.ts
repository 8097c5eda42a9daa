import { describe, expect, test } from 'bun:test'

import type { Answering } from '../../core/neutral/codec'
import type { AnswerEvent, BlockKind, Delta } from '../../core/neutral/events'
import { noUsage } from '../../core/usage'
import { aCall, joinDeltas, serverEvents, textWriter } from '../../core/neutral/test/fixtures'
import { openAiChatCodec as codec } from './codec'

const answering: Answering = {
  model: 'gpt-x',
  includeUsage: true,
  now: 1_760_000_000,
  newId: (prefix) => `${prefix}new`,
  call: aCall(),
}
const block = (number: number, of: BlockKind, ...deltas: Delta[]): AnswerEvent[] => [
  { type: 'block-start', choice: 0, block: number, of },
  ...deltas.map((delta) => ({ type: 'block-delta', choice: 0, block: number, delta }) as const),
  { type: 'block-end', choice: 0, block: number },
]
const text = (value: string): Delta => ({ kind: 'text', text: value })
const usage = { ...noUsage, promptTokens: 9, completionTokens: 5, cachedTokens: 2, reasoningTokens: 1 }

const full: AnswerEvent[] = [
  { type: 'answer-start', id: 'chatcmpl-1', model: 'gpt-x', createdAt: 1_750_000_000 },
  ...block(0, { kind: 'thinking' }, text('hm'), text('m'), { kind: 'signature', signature: 'sig' }),
  ...block(1, { kind: 'text' }, text('Hello '), text('you')),
  ...block(2, { kind: 'tool-call', id: 'call_a', name: 'f' }, text('{"a":'), text('1}')),
  ...block(3, { kind: 'tool-call', id: 'call_b', name: 'g' }, { kind: 'signature', signature: 's2' }, text('{}')),
  { type: 'choice-end', choice: 0, reason: 'tool-calls', rawReason: 'tool_calls', stopSequence: null },
  { type: 'usage', usage },
  { type: 'answer-end' },
]

function throughStream(events: readonly AnswerEvent[]): AnswerEvent[] {
  const reader = codec.createReader()
  const writer = textWriter(codec, answering)
  const written = events.map((event) => writer.write([event])).join('')
  return [...serverEvents(written).flatMap((event) => reader.read(event)), ...reader.end()]
}

describe('an answer', () => {
  test('a response survives being written and read as a stream', () => {
    expect(joinDeltas(throughStream(full))).toEqual(joinDeltas(full))
  })

  test('a response survives being written and read whole', () => {
    expect(joinDeltas(codec.readAnswer(codec.writeAnswer(full, answering)))).toEqual(joinDeltas(full))
  })

  test('a whole response has the members that SDKs expect', () => {
    expect(codec.writeAnswer(full, answering)).toMatchObject({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_750_000_000,
      model: 'gpt-x',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          logprobs: null,
          message: {
            role: 'assistant',
            content: 'Hello you',
            refusal: null,
            reasoning_content: 'hmm',
            tool_calls: [
              { id: 'call_a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
              {
                id: 'call_b',
                type: 'function',
                function: { name: 'g', arguments: '{}' },
                extra_content: { google: { thought_signature: 's2' } },
              },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
    })
  })

  test('streams its role first, its reason after all it says, its usage alone, and an end mark', () => {
    const written = textWriter(codec, answering).write(full)
    const events = serverEvents(written).map(({ data }) => data)
    expect(events.at(-1)).toBe('[DONE]')
    const chunks = events.slice(0, -1).map((data) => JSON.parse(data))
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '' })
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 14 } })
    expect(chunks.at(-2).choices[0]).toMatchObject({ delta: {}, finish_reason: 'tool_calls' })
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['chatcmpl-1']))
  })

  test('tells no usage to those who did not ask', () => {
    const written = textWriter(codec, { ...answering, includeUsage: false }).write(full)
    expect(written).not.toContain('"usage"')
    expect(written).toEndWith('data: [DONE]\n\n')
  })

  test('a stream that fails midway reports it, and nothing after', () => {
    const error = { message: 'broken', type: 'server_error', code: 'x', param: null }
    const writer = textWriter(codec, answering)
    expect(writer.write([...full.slice(0, 4), { type: 'failure', error }, ...full.slice(4)])).toEndWith(
      'data: {"error":{"message":"broken","type":"server_error","param":null,"code":"x"}}\n\n',
    )
    expect(writer.write(full)).toBe('')
  })
})

describe('a stream of an upstream', () => {
  const read = (...chunks: readonly object[]) => {
    const reader = codec.createReader()
    return [...chunks.flatMap((chunk) => reader.read({ name: '', data: JSON.stringify(chunk) })), ...reader.end()]
  }
  const delta = (members: object, finish: string | null = null) => ({
    id: 'x',
    choices: [{ index: 0, delta: members, finish_reason: finish }],
  })

  test('closes each block before the next begins, and numbers them without gaps', () => {
    const events = read(
      delta({ role: 'assistant', reasoning_content: 'a' }),
      delta({ content: 'b', tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
      delta({ tool_calls: [{ index: 1, id: 'c2', function: { name: 'g', arguments: '{}' } }] }),
      delta({}, 'tool_calls'),
    )
    const shape = events.map((event) => ('block' in event ? `${event.type} ${event.block}` : event.type))
    expect(shape).toEqual([
      'answer-start',
      ...[0, 1, 2, 3].flatMap((n) => [`block-start ${n}`, `block-delta ${n}`, `block-end ${n}`]),
      'choice-end',
      'answer-end',
    ])
  })

  test('tells calls alternately, and each is given in one piece', () => {
    const call = (index: number, members: object) => delta({ tool_calls: [{ index, ...members }] })
    const events = read(
      call(0, { id: 'a', function: { name: 'f', arguments: '' } }),
      call(1, { id: 'b', function: { name: 'g', arguments: '' } }),
      call(0, { function: { arguments: '{"a":' } }),
      call(1, { function: { arguments: '{"b":' } }),
      call(0, { function: { arguments: '1}' } }),
      call(1, { function: { arguments: '2}' } }),
      delta({}, 'tool_calls'),
    )
    expect(joinDeltas(events).filter(({ type }) => type.startsWith('block'))).toEqual([
      ...block(0, { kind: 'tool-call', id: 'a', name: 'f' }, text('{"a":1}')),
      ...block(1, { kind: 'tool-call', id: 'b', name: 'g' }, text('{"b":2}')),
    ])
  })

  const part = (call: object) => delta({ tool_calls: [call] })
  const f = block(0, { kind: 'tool-call', id: 'a', name: 'f' }, text('{"x":1}'))
  const g = block(1, { kind: 'tool-call', id: 'b', name: 'g' }, text('{}'))
  test.each<[string, readonly object[], readonly AnswerEvent[]]>([
    [
      'its name in each of its fragments',
      [
        part({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }),
        part({ index: 0, id: 'a', function: { name: 'f', arguments: ':1}' } }),
      ],
      f,
    ],
    [
      'no name at first',
      [
        part({ index: 0, id: 'a', function: { name: null, arguments: '' } }),
        part({ index: 0, function: { arguments: '{"x"' } }),
        part({ index: 0, function: { name: 'f', arguments: ':1}' } }),
      ],
      f,
    ],
    [
      'the index of the call before it',
      [
        part({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }),
        part({ index: 0, id: 'b', function: { name: 'g', arguments: '{}' } }),
      ],
      [...f, ...g],
    ],
    [
      'no index',
      [
        part({ id: 'a', function: { name: 'f', arguments: '{"x"' } }),
        part({ function: { arguments: ':1}' } }),
        part({ id: 'b', function: { name: 'g', arguments: '{}' } }),
      ],
      [...f, ...g],
    ],
    ['its arguments as an object', [part({ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } })], f],
  ])('a call with %s is whole', (_what, chunks, expected) => {
    const events = joinDeltas(read(...chunks, delta({}, 'tool_calls')))
    expect(events.filter(({ type }) => type.startsWith('block'))).toEqual([...expected])
  })

  test('a stream that breaks off has no end', () => {
    expect(read(delta({ content: 'b' })).map(({ type }) => type)).toEqual([
      'answer-start',
      'block-start',
      'block-delta',
      'block-end',
    ])
  })

  test('a stream of several choices keeps them apart', () => {
    const events = read(
      { id: 'x', choices: [{ index: 1, delta: { content: 'one' } }] },
      { id: 'x', choices: [{ index: 0, delta: { content: 'nil' } }] },
      {
        id: 'x',
        choices: [
          { index: 0, delta: {}, finish_reason: 'stop' },
          { index: 1, delta: {}, finish_reason: 'length' },
        ],
      },
    )
    expect(events.filter(({ type }) => type === 'choice-end')).toMatchObject([
      { choice: 0, reason: 'stop' },
      { choice: 1, reason: 'length' },
    ])
  })
})
