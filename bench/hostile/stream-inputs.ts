import { translationOf, type DialectId, type JsonObject } from '../../dialects/src/index'
import { nextTurn } from '../../gateway/src/platform/time/timers'
import { helloMessages, times, type HostileInput } from './hostile-input'

/** What the network hands over in one turn of the event loop. */
const readBytes = 64 * 1024

/** The events of an upstream, translated for a client, as the network cuts them. */
function stream(
  client: DialectId,
  upstream: DialectId,
  events: Iterable<string>,
  options: { readonly taggedThoughts?: boolean } = {},
): () => unknown {
  const translated = translationOf(client, upstream)?.(plainRequests[client] ?? {}, { model: 'm', isStream: true }, 'm')
  let ids = 0
  const tap = translated?.createTap?.({
    model: 'm',
    includeUsage: true,
    now: 0,
    newId: (prefix) => `${prefix}${(ids += 1)}`,
    promptTokens: 1,
    thoughtsAsText: false,
    taggedThoughts: options.taggedThoughts ?? false,
  })
  if (!tap) throw new Error(`No translation from ${upstream} to ${client}`)
  const bytes = Buffer.from([...events].join(''))
  return async () => {
    for (let at = 0; at < bytes.length; at += readBytes) {
      tap.push(bytes.subarray(at, at + readBytes))
      await nextTurn()
    }
    tap.end()
    tap.finish(null)
  }
}

const plainRequests: Readonly<Partial<Record<DialectId, JsonObject>>> = {
  'openai-chat': { model: 'm', stream: true, messages: helloMessages },
  'anthropic-messages': { model: 'm', stream: true, max_tokens: 9, messages: helloMessages },
  'openai-responses': { model: 'm', stream: true, input: 'hello' },
  'cohere-chat': { model: 'm', stream: true, messages: helloMessages },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
}

const data = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`
const chunk = (delta: JsonObject, index = 0) => data({ choices: [{ index, delta }] })
const callOf = (index: number, text: string, name = 'f') =>
  chunk({ tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name, arguments: text } }] })

const waitingCalls = (client: DialectId) => (size: number) =>
  stream(
    client,
    'openai-chat',
    times(size, (index) => callOf(index, '{')),
  )

/** What upstreams stream, translated for a client. */
export const streamInputs: readonly HostileInput[] = [
  { name: 'tool calls that wait, for Messages', size: 4000, make: waitingCalls('anthropic-messages') },
  { name: 'tool calls that wait, for Gemini', size: 4000, make: waitingCalls('gemini') },
  {
    name: 'tool calls: arguments that look whole',
    size: 8000,
    make: (size) =>
      stream('anthropic-messages', 'openai-chat', [
        callOf(0, '{"a":['),
        callOf(1, '{}'),
        ...times(size, () => chunk({ tool_calls: [{ index: 0, function: { arguments: '{},{}' } }] })),
      ]),
  },
  {
    name: 'words that wait for a call',
    size: 8000,
    make: (size) =>
      stream('anthropic-messages', 'openai-chat', [
        callOf(0, '{'),
        ...times(size, (index) => chunk(index % 2 === 0 ? { content: 'x' } : { reasoning_content: 'x' })),
      ]),
  },
  {
    name: 'choices',
    size: 6000,
    make: (size) =>
      stream(
        'gemini',
        'openai-chat',
        times(size, (index) => chunk({ content: 'x' }, index)),
      ),
  },
  {
    name: 'empty lines',
    size: 200_000,
    make: (size) => stream('anthropic-messages', 'openai-chat', ['\r\n'.repeat(size), chunk({ content: 'x' })]),
  },
  {
    name: 'items of a response that do not end',
    size: 3000,
    make: (size) =>
      stream(
        'openai-chat',
        'openai-responses',
        times(size, (index) =>
          data({
            type: 'response.output_item.added',
            output_index: index,
            item: { type: 'function_call', id: `fc_${index}`, call_id: `c${index}`, name: 'f', arguments: '' },
          }),
        ),
      ),
  },
  {
    name: 'sources of Gemini, each behind more text',
    size: 3000,
    make: (size) =>
      stream(
        'openai-chat',
        'gemini',
        times(size, (index) =>
          data({
            candidates: [
              {
                index: 0,
                content: { parts: [{ text: 'some text ' }] },
                groundingMetadata: {
                  groundingChunks: [{ web: { uri: `https://a.test/${index}`, title: 't' } }],
                  groundingSupports: [
                    { segment: { startIndex: 0, endIndex: (index + 1) * 10 }, groundingChunkIndices: [0] },
                  ],
                },
              },
            ],
          }),
        ),
      ),
  },
  {
    name: 'a long source of Gemini that is cited often',
    size: 20_000,
    make: (size) =>
      stream('openai-chat', 'gemini', [
        data({
          candidates: [
            {
              index: 0,
              content: { parts: [{ text: 'some text' }] },
              groundingMetadata: {
                groundingChunks: [{ web: { uri: `https://a.test/${'x'.repeat(size)}`, title: 't' } }],
                groundingSupports: [{ segment: { endIndex: 9 }, groundingChunkIndices: [...times(size, () => 0)] }],
              },
            },
          ],
        }),
      ]),
  },
  {
    name: 'calls of an answer that have one id',
    size: 3000,
    make: (size) =>
      stream(
        'anthropic-messages',
        'openai-responses',
        [...times(size, (index) => index)].flatMap((index) => [
          data({
            type: 'response.output_item.added',
            output_index: index,
            item: { type: 'function_call', id: `fc_${index}`, call_id: 'c', name: 'f', arguments: '' },
          }),
          data({
            type: 'response.output_item.done',
            output_index: index,
            item: { type: 'function_call', id: `fc_${index}`, call_id: 'c', name: 'f', arguments: '{}' },
          }),
        ]),
      ),
  },
  {
    name: 'blanks before an answer that may begin with thoughts',
    size: 4000,
    make: (size) =>
      stream(
        'openai-chat',
        'anthropic-messages',
        [
          data({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
          ...times(size, () =>
            data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '  ' } }),
          ),
        ],
        { taggedThoughts: true },
      ),
  },
  {
    name: 'citations that each repeat the text',
    size: 1000,
    make: (size) =>
      stream('cohere-chat', 'openai-chat', [
        chunk({ content: 'x'.repeat(size * 20) }),
        ...times(size, (index) =>
          chunk({ annotations: [{ type: 'url_citation', url_citation: { url: `https://a.test/${index}` } }] }),
        ),
      ]),
  },
  {
    name: 'blocks of Messages that alternate',
    size: 4000,
    make: (size) =>
      stream(
        'openai-chat',
        'anthropic-messages',
        times(size, (index) =>
          data({
            type: 'content_block_start',
            index,
            content_block: { type: 'tool_use', id: `t${index}`, name: 'f', input: {} },
          }),
        ),
      ),
  },
  {
    name: 'pieces of a block of Messages that waits',
    size: 8000,
    make: (size) => {
      const blockStart = (index: number) => ({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `t${index}`, name: 'f', input: {} },
      })
      const piece = { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '1' } }
      return stream('openai-chat', 'anthropic-messages', [
        data(blockStart(0)),
        data(blockStart(1)),
        ...times(size, () => data(piece)),
      ])
    },
  },
]
