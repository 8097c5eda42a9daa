import type { Answering, ChatCodec } from '../../core/neutral/codec'
import type { AnswerEvent, BlockKind, Delta, FinishReason } from '../../core/neutral/events'
import { aCall } from '../../core/neutral/test/fixtures'
import { openAiResponsesCodec } from '../../chat/openai-responses/codec'
import { noUsage } from '../../core/usage'

const start: AnswerEvent = { type: 'answer-start', id: 'x', model: 'm', createdAt: 1_760_000_000 }
const createTextDelta = (text: string): Delta => ({ kind: 'text', text })
const createSignatureDelta = (signature: string): Delta => ({ kind: 'signature', signature })

const blocks = (...all: readonly (readonly [BlockKind, ...Delta[]])[]): AnswerEvent[] =>
  all.flatMap(([of, ...deltas], block) => [
    { type: 'block-start', choice: 0, block, of },
    ...deltas.map((delta) => ({ type: 'block-delta', choice: 0, block, delta }) as const),
    { type: 'block-end', choice: 0, block },
  ])

const end = (reason: FinishReason): AnswerEvent[] => [
  { type: 'choice-end', choice: 0, reason, rawReason: '', stopSequence: null },
  { type: 'usage', usage: { ...noUsage, promptTokens: 20, completionTokens: 9, cachedTokens: 4, reasoningTokens: 3 } },
  { type: 'answer-end' },
]

const createToolCall = (name: string, args: object, id = name): readonly [BlockKind, ...Delta[]] => [
  { kind: 'tool-call', id: `call_${id}`, name },
  createTextDelta(JSON.stringify(args)),
]

/** Answers with everything that a client may be told. */
export const answers = {
  calling: [
    start,
    ...blocks(
      [{ kind: 'thinking' }, createTextDelta('hm'), createSignatureDelta('c2ln')],
      [{ kind: 'redacted-thinking' }, createSignatureDelta('aGlk')],
      [{ kind: 'search', queries: ['a', 'b'], pages: [{ url: 'https://b', title: 'B' }] }],
      [
        { kind: 'text' },
        createTextDelta('It '),
        createTextDelta('is.'),
        { kind: 'citation', citation: { url: 'https://a', title: 'A', start: 0, end: 2 } },
      ],
      createToolCall('f', { a: 1 }),
      createToolCall('mcp__x__look', { id: '7' }, 'g'),
      createToolCall('free', { input: 'ls' }),
      createToolCall('shell', { commands: ['ls'] }),
      createToolCall('local_shell', { command: ['ls'] }),
      createToolCall('apply_patch', { type: 'delete_file', path: 'a' }),
    ),
    ...end('tool-calls'),
  ],
  refusing: [start, ...blocks([{ kind: 'refusal' }, createTextDelta('No.')]), ...end('refusal')],
  drawing: [
    start,
    ...blocks(
      [{ kind: 'media' }, { kind: 'media', mime: 'image/png', data: 'AAAA' }],
      [{ kind: 'text' }, createTextDelta('There')],
    ),
    ...end('length'),
  ],
} satisfies Record<string, readonly AnswerEvent[]>

const declared = openAiResponsesCodec.readCall(
  {
    model: 'm',
    input: 'hi',
    tools: [
      { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false },
      {
        type: 'namespace',
        name: 'mcp__x',
        description: 'd',
        tools: [{ type: 'function', name: 'look', parameters: {} }],
      },
      { type: 'custom', name: 'free' },
      { type: 'shell', environment: { type: 'local' } },
      { type: 'local_shell' },
      { type: 'apply_patch' },
      { type: 'web_search' },
    ],
  },
  { model: 'm', isStream: true },
)

const answeringAll = (): Answering => {
  let count = 0
  return {
    model: 'm',
    includeUsage: true,
    now: 1_760_000_000,
    newId: (prefix) => `${prefix}${(count += 1)}`,
    call: aCall({ tools: declared.tools, own: declared.own }),
  }
}

/** What a client of a dialect is told when an upstream of another one answers so, whole and in the events of a stream. */
export function writeAnswer(client: ChatCodec, upstream: ChatCodec, answer: readonly AnswerEvent[]) {
  const events = upstream.readAnswer(upstream.writeAnswer(answer, answeringAll()))
  const whole = client.writeAnswer(events, answeringAll())
  const writer = client.createWriter(answeringAll())
  const stream = events.flatMap((event) => [...writer.write([event])])
  // An end mark is an event without members.
  return { whole, stream: stream.filter((event) => Object.keys(event).length > 0) }
}

/** How answers are written in tests, where nothing depends on it. */
export const plainOptions = {
  model: 'm',
  includeUsage: false,
  promptTokens: 1,
  now: 1,
  newId: (prefix: string) => `${prefix}1`,
  thoughtsAsText: false,
  taggedThoughts: false,
}
