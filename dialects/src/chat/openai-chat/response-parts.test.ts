import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../../core/json'
import type { AnswerEvent, BlockKind, Delta, FinishReason } from '../../core/neutral/events'
import { anAnswering, dataOf, joinDeltas, serverEvents, textWriter } from '../../core/neutral/test/fixtures'
import { openAiChatCodec as codec } from './codec'

const start: AnswerEvent = { type: 'answer-start', id: 'chatcmpl-1', model: 'm', createdAt: 1_750_000_000 }
const block = (number: number, of: BlockKind, ...deltas: readonly Delta[]): AnswerEvent[] => [
  { type: 'block-start', choice: 0, block: number, of },
  ...deltas.map((delta): AnswerEvent => ({ type: 'block-delta', choice: 0, block: number, delta })),
  { type: 'block-end', choice: 0, block: number },
]
const createTextDelta = (text: string): Delta => ({ kind: 'text', text })
const createEndEvents = (reason: FinishReason = 'stop'): AnswerEvent[] => [
  { type: 'choice-end', choice: 0, reason, rawReason: '', stopSequence: null },
  { type: 'answer-end' },
]
const messageOf = (...events: readonly AnswerEvent[]): JsonObject => {
  const { choices } = codec.writeAnswer([start, ...events, ...createEndEvents()], anAnswering()) as {
    choices: { message: JsonObject }[]
  }
  return choices[0]?.message ?? {}
}
const deltasOf = (...events: readonly AnswerEvent[]): unknown[] =>
  serverEvents(textWriter(codec, anAnswering()).write([start, ...events]))
    .map(({ data }) => JSON.parse(data))
    .map(({ choices }) => choices[0].delta)
const read = (...chunks: readonly object[]): AnswerEvent[] => {
  const reader = codec.createReader()
  return [...chunks.flatMap((chunk) => reader.read({ name: '', data: JSON.stringify(chunk) })), ...reader.end()]
}
const delta = (value: object, finish: string | null = null) => ({
  id: 'x',
  choices: [{ index: 0, delta: value, finish_reason: finish }],
})
const blocksOf = (events: readonly AnswerEvent[]) => joinDeltas(events).filter(({ type }) => type.startsWith('block'))

describe('sources', () => {
  const first: Delta = { kind: 'citation', citation: { url: 'https://a.example', title: 'A' } }
  const second: Delta = { kind: 'citation', citation: { url: 'https://b.example', start: 1, end: 3 } }
  const written = [
    ...block(0, { kind: 'text' }, createTextDelta('I say ')),
    ...block(1, { kind: 'text' }, first, createTextDelta('It '), createTextDelta('freezes'), second),
  ]
  const annotations = [
    {
      type: 'url_citation',
      url_citation: { url: 'https://b.example', title: 'https://b.example', start_index: 7, end_index: 9 },
    },
    { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A', start_index: 6, end_index: 16 } },
  ]

  test('tell their places in the whole content', () => {
    expect(messageOf(...written)).toMatchObject({ content: 'I say It freezes', annotations })
    expect(deltasOf(...written).slice(-2)).toEqual(annotations.map((annotation) => ({ annotations: [annotation] })))
  })

  test('citations are read with offsets within their own text', () => {
    const image = { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }
    const events = read(
      delta({ content: 'I say ' }),
      delta(image),
      delta({ content: 'It freezes', annotations }, 'stop'),
    )
    expect(blocksOf(events).slice(-5)).toEqual(
      block(
        2,
        { kind: 'text' },
        createTextDelta('It freezes'),
        { kind: 'citation', citation: { url: 'https://b.example', title: 'https://b.example', start: 1, end: 3 } },
        { kind: 'citation', citation: { url: 'https://a.example', title: 'A', start: 0, end: 10 } },
      ),
    )
  })

  test('citations without a page are ignored', () => {
    expect(
      messageOf(...block(0, { kind: 'text' }, createTextDelta('a'), { kind: 'citation', citation: { title: 'A' } })),
    ).toEqual({
      role: 'assistant',
      content: 'a',
      refusal: null,
    })
    expect(blocksOf(read(delta({ annotations: [{ type: 'file_citation' }] })))).toEqual([])
  })
})

describe('thoughts', () => {
  test('carry their signatures, summaries and names', () => {
    const events = [
      ...block(0, { kind: 'thinking' }, createTextDelta('hm'), { kind: 'signature', signature: 's1' }),
      ...block(1, { kind: 'thinking', isSummary: true, id: 'rs_1' }, createTextDelta('well'), {
        kind: 'signature',
        signature: 's2',
      }),
      ...block(2, { kind: 'redacted-thinking' }, { kind: 'signature', signature: 'enc' }),
      ...block(3, { kind: 'text' }, createTextDelta('So')),
    ]
    const message = messageOf(...events)
    expect(message).toEqual({
      role: 'assistant',
      content: 'So',
      refusal: null,
      reasoning_content: 'hmwell',
      reasoning_details: [
        { type: 'reasoning.text', text: 'hm', signature: 's1', format: 'unknown', index: 0 },
        { type: 'reasoning.summary', summary: 'well', signature: 's2', format: 'unknown', index: 1, id: 'rs_1' },
        { type: 'reasoning.encrypted', data: 'enc', format: 'unknown', index: 2 },
      ],
    })
    const again = codec.readCall({ model: 'm', messages: [message] }, { model: '', isStream: false })
    expect(again.messages[0]?.parts).toEqual([
      { kind: 'thinking', text: 'hm', signature: 's1' },
      { kind: 'thinking', text: 'well', isSummary: true, id: 'rs_1', signature: 's2' },
      { kind: 'thinking', text: '', isRedacted: true, signature: 'enc' },
      { kind: 'text', text: 'So' },
    ])
    expect(blocksOf(codec.readAnswer({ choices: [{ message }] }))).toEqual(blocksOf(events))
  })

  test('a refusal is streamed without its empty pieces', () => {
    const refused = block(0, { kind: 'refusal' }, createTextDelta(''), createTextDelta('No.'))
    expect(deltasOf(...refused).slice(1)).toEqual([{ refusal: 'No.' }])
  })

  test('thoughts are read in any vendor’s words', () => {
    const thought = block(0, { kind: 'thinking' }, createTextDelta('hm'))
    expect(blocksOf(read(delta({ reasoning_content: 'h' }), delta({ reasoning: 'm' })))).toEqual(thought)
    const mistral = { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }
    expect(blocksOf(read(delta(mistral)))).toEqual(thought)
    const detail = { type: 'reasoning.text', text: 'hm', index: 0 }
    expect(blocksOf(read(delta({ reasoning: 'hm', reasoning_details: [detail] })))).toEqual(thought)
    const encrypted = { type: 'reasoning.encrypted', data: 'enc' }
    expect(blocksOf(read(delta({ reasoning: 'hm', reasoning_details: [encrypted] })))).toEqual([
      ...thought,
      ...block(1, { kind: 'redacted-thinking' }, { kind: 'signature', signature: 'enc' }),
    ])
  })
})

describe('calls', () => {
  test('come with their name first and their place among the calls of their choice', () => {
    const events = [
      ...block(0, { kind: 'text' }, createTextDelta('a')),
      ...block(
        1,
        { kind: 'tool-call', id: 'c1', name: 'f' },
        { kind: 'signature', signature: 's' },
        createTextDelta('{"a'),
        createTextDelta('":1}'),
      ),
      ...block(
        2,
        { kind: 'tool-call', id: 'c2', name: 'sh', isCustom: true },
        createTextDelta('ls'),
        createTextDelta(' -l'),
      ),
      ...block(3, { kind: 'tool-call', id: 'c3', name: 'g' }),
    ]
    expect(deltasOf(...events).slice(2)).toEqual([
      {
        tool_calls: [
          {
            index: 0,
            id: 'c1',
            type: 'function',
            function: { name: 'f', arguments: '{"a' },
            extra_content: { google: { thought_signature: 's' } },
          },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '":1}' } }] },
      { tool_calls: [{ index: 1, id: 'c2', type: 'custom', custom: { name: 'sh', input: 'ls' } }] },
      { tool_calls: [{ index: 1, custom: { input: ' -l' } }] },
      { tool_calls: [{ index: 2, id: 'c3', type: 'function', function: { name: 'g', arguments: '{}' } }] },
    ])
    expect(messageOf(...events)['tool_calls']).toMatchObject([
      { id: 'c1', function: { arguments: '{"a":1}' } },
      { id: 'c2', custom: { input: 'ls -l' } },
      { id: 'c3', function: { arguments: '{}' } },
    ])
  })

  test('calls with the same index are told apart by their ids', () => {
    const call = (id: string) => ({
      tool_calls: [{ index: 0, id, type: 'function', function: { name: 'f', arguments: '{}' } }],
    })
    expect(blocksOf(read(delta(call('a')), delta(call('b')), delta({}, 'stop')))).toEqual([
      ...block(0, { kind: 'tool-call', id: 'a', name: 'f' }, createTextDelta('{}')),
      ...block(1, { kind: 'tool-call', id: 'b', name: 'f' }, createTextDelta('{}')),
    ])
  })

  test('calls without ids get some, and cited text does not interrupt them', () => {
    const openingDelta = { tool_calls: [{ index: 0, function: { name: 'f', arguments: '{"a":' } }] }
    const cited = { annotations: [{ url_citation: { url: 'https://a.example' } }] }
    const rest = { tool_calls: [{ index: 0, function: { arguments: '1}' } }] }
    expect(blocksOf(read(delta(openingDelta), delta(cited), delta(rest, 'stop')))).toEqual(
      block(0, { kind: 'tool-call', id: 'call_0_0', name: 'f' }, createTextDelta('{"a":1}')),
    )
  })

  test('calls in the older form are read', () => {
    const events = read(
      delta({ function_call: { name: 'f', arguments: '' } }),
      delta({ function_call: { arguments: '{}' } }, 'function_call'),
    )
    expect(blocksOf(events)).toEqual(block(0, { kind: 'tool-call', id: 'f', name: 'f' }, createTextDelta('{}')))
  })
})

describe('media', () => {
  test('media are images beside the text, and sounds with their transcript', () => {
    const image: Delta = { kind: 'media', mime: 'image/png', data: 'AAAA' }
    const sound = (data: string, transcript: string): Delta => ({ kind: 'media', mime: 'audio/wav', data, transcript })
    expect(messageOf(...block(0, { kind: 'media' }, image))).toMatchObject({
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    })
    const spoken = block(0, { kind: 'media' }, sound('BBBB', 'Hel'), sound('CCCC', 'lo'))
    expect(messageOf(...spoken)).toEqual({
      role: 'assistant',
      content: null,
      refusal: null,
      audio: { id: 'audio_new1', data: 'BBBBCCCC', transcript: 'Hello', expires_at: 1_750_003_600 },
    })
    expect(deltasOf(...spoken).slice(1)).toMatchObject([
      { audio: { id: 'audio_new1', data: 'BBBB' } },
      { audio: { id: 'audio_new1' } },
    ])
  })

  test('log probabilities are read', () => {
    const events = read(
      delta({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }),
      delta({ audio: { id: 'audio_1', transcript: 'Hi' } }),
      delta({ audio: { expires_at: 5 } }, 'stop'),
    )
    expect(blocksOf(events)).toEqual([
      ...block(0, { kind: 'media' }, { kind: 'media', mime: 'image/png', data: 'AAAA' }),
      ...block(1, { kind: 'media' }, { kind: 'media', mime: 'audio/wav', data: '', transcript: 'Hi', id: 'audio_1' }),
    ])
  })
})

test('log probabilities stand beside the text they belong to', () => {
  const token = { token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [{ token: 'b', logprob: -2, bytes: null }] }
  const events = read({
    id: 'x',
    choices: [{ index: 0, delta: { content: 'a' }, logprobs: { content: [token], refusal: null } }],
  })
  const chunks = dataOf(textWriter(codec, anAnswering()).write(events)) as { choices: { logprobs: unknown }[] }[]
  expect(chunks.at(-1)?.choices[0]?.logprobs).toEqual({ content: [token], refusal: null })
  const whole = codec.writeAnswer([...events, ...createEndEvents()], anAnswering())
  expect(whole['choices']).toMatchObject([{ logprobs: { content: [token], refusal: null } }])
})

describe('the end', () => {
  test.each([
    ['stop', 'stop'],
    ['stop-sequence', 'stop'],
    ['length', 'length'],
    ['context-window', 'length'],
    ['tool-calls', 'tool_calls'],
    ['content-filter', 'content_filter'],
    ['refusal', 'content_filter'],
    ['pause', 'stop'],
    ['other', 'stop'],
  ] as const)('%s is written as %s, whole and streamed', (reason, word) => {
    expect(finishesOf([start, ...createEndEvents(reason)])).toEqual([word, word])
  })

  test.each([
    ['stop', 1, 'tool_calls'],
    ['stop', 2, 'tool_calls'],
    ['other', 1, 'tool_calls'],
    ['length', 1, 'length'],
    ['content-filter', 1, 'content_filter'],
  ] as const)('%s after %d calls is written as %s, whole and streamed', (reason, count, word) => {
    const calls = Array.from({ length: count }, (_, at) =>
      block(at, { kind: 'tool-call', id: `call_${at}`, name: 'f' }, createTextDelta('{}')),
    )
    expect(finishesOf([start, ...calls.flat(), ...createEndEvents(reason)])).toEqual([word, word])
  })

  /** The reason of the only choice, in a whole answer and at the end of a stream. */
  function finishesOf(events: readonly AnswerEvent[]): unknown[] {
    const [whole] = codec.writeAnswer(events, anAnswering())['choices'] as { finish_reason: unknown }[]
    const text = textWriter(codec, anAnswering()).write(events.filter(({ type }) => type !== 'answer-end'))
    const chunks = dataOf(text) as { choices: { finish_reason: unknown }[] }[]
    const streamed = chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason))
    return [whole?.finish_reason, ...streamed.filter((reason) => reason !== null)]
  }

  test.each([
    ['stop', {}, 'stop'],
    ['stop', { refusal: 'No.' }, 'refusal'],
    ['stop', { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] }, 'tool-calls'],
    ['length', {}, 'length'],
    ['content_filter', {}, 'content-filter'],
    ['function_call', {}, 'tool-calls'],
    ['model_length', {}, 'context-window'],
    ['constructor', {}, 'other'],
  ] as const)('%s after %j means %s', (word, message, reason) => {
    const end = codec
      .readAnswer({ choices: [{ message, finish_reason: word }] })
      .find(({ type }) => type === 'choice-end')
    expect(end).toMatchObject({ reason, rawReason: word })
  })

  test('a whole response may end without a reason', () => {
    const events = codec.readAnswer({ choices: [{ message: { content: 'a' } }] })
    expect(events.slice(-2)).toMatchObject([{ type: 'choice-end', reason: 'stop' }, { type: 'answer-end' }])
  })

  test('a response ends with a failure of its own or of its choice', () => {
    const error = { code: 502, message: 'Upstream broke' }
    const failure = { type: 'failure', error: { message: 'Upstream broke', type: '', code: '502', param: null } }
    expect(read({ error })).toEqual([failure as AnswerEvent])
    expect(read({ choices: [{ index: 0, error, delta: {}, finish_reason: 'error' }] })).toEqual([
      failure as AnswerEvent,
    ])
  })

  test('leaves reasoning to the completion where the upstream does not count it', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 115 }
    const reported = { type: 'usage', usage: { completionTokens: 105 } }
    expect(codec.readAnswer({ choices: [], usage })).toMatchObject([{ type: 'answer-start' }, reported])
    const reader = codec.createReader()
    expect(reader.read({ name: '', data: JSON.stringify({ choices: [], usage }) })).toMatchObject([
      { type: 'answer-start' },
      reported,
    ])
  })

  test('chunks share one id, and usage is written only where it is wanted', () => {
    const events = [...block(0, { kind: 'text' }, createTextDelta('a')), ...createEndEvents()]
    const chunks = dataOf(textWriter(codec, anAnswering()).write(events).replace('data: [DONE]\n\n', ''))
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['chatcmpl-new1']))
    expect(chunks.every(({ usage }) => usage === null)).toBe(true)
  })
})
