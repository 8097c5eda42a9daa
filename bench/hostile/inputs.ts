import {
  readClientEvent,
  readSessionReport,
  scanRequest,
  translationOf,
  type DialectId,
  type JsonObject,
} from '../../dialects/src/index'
import { clientAddress } from '../../gateway/src/http/request/client-address'
import { redact } from '../../gateway/src/platform/telemetry/log/redact'
import { mask } from '../../gateway/src/platform/text/mask'
import { measuredSeconds } from '../../gateway/src/billing/metering/media/recordings'
import { cutForm } from '../../gateway/src/relay/admission/cut-form'
import { parseSharing } from '../../gateway/src/relay/admission/parse-sharing'
import { createWordMatcher } from '../../gateway/src/relay/content-policy/forbidden-words'
import { nextTurn } from '../../gateway/src/platform/time/timers'

/** An input that grows with `size`. */
export interface HostileInput {
  readonly name: string
  /** Its smaller size; it is fed at twice that size too. */
  readonly size: number
  /** Returns the work: what the gateway does with the input. It is made beforehand, and works once. */
  readonly make: (size: number) => () => unknown
}

const quietly = (work: () => unknown): void => {
  try {
    work()
  } catch {
    // What is refused has cost its time too.
  }
}

const form = (...parts: readonly string[]) => Buffer.from(`--b\r\n${parts.join('\r\n--b\r\n')}\r\n--b--`)
const field = 'Content-Disposition: form-data; name="a"'

const readBody = (text: string) => () =>
  quietly(() => {
    const { longStrings } = scanRequest(text)
    parseSharing(text, longStrings)
  })

/** What the network hands over in one turn of the event loop. */
const readBytes = 64 * 1024

/** The events of an upstream, translated for a client, as the network cuts them. */
function stream(client: DialectId, upstream: DialectId, events: Iterable<string>): () => unknown {
  const translated = translationOf(client, upstream)?.(plainRequests[client] ?? {}, { model: 'm', isStream: true }, 'm')
  let ids = 0
  const tap = translated?.createTap?.({
    model: 'm',
    includeUsage: true,
    now: 0,
    newId: (prefix) => `${prefix}${(ids += 1)}`,
    promptTokens: 1,
    thoughtsAsText: false,
    taggedThoughts: false,
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

const helloMessages = [{ role: 'user', content: 'hello' }]
const plainRequests: Readonly<Partial<Record<DialectId, JsonObject>>> = {
  'openai-chat': { model: 'm', stream: true, messages: helloMessages },
  'anthropic-messages': { model: 'm', stream: true, max_tokens: 9, messages: helloMessages },
  'openai-responses': { model: 'm', stream: true, input: 'hello' },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
}

function* times<Value>(count: number, make: (index: number) => Value): Generator<Value> {
  for (let index = 0; index < count; index += 1) yield make(index)
}

const data = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`
const chunk = (delta: JsonObject, index = 0) => data({ choices: [{ index, delta }] })
const callOf = (index: number, text: string, name = 'f') =>
  chunk({ tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name, arguments: text } }] })

/** A request of a client, translated for an upstream. */
const requestOf = (client: DialectId, upstream: DialectId, body: (size: number) => JsonObject) => (size: number) => {
  const translate = translationOf(client, upstream)
  if (!translate) throw new Error(`No translation from ${client} to ${upstream}`)
  const payload = { model: 'm', ...body(size) }
  return () => quietly(() => translate(payload, { model: 'm', isStream: false }, 'm'))
}

const waitingCalls = (client: DialectId) => (size: number) =>
  stream(
    client,
    'openai-chat',
    times(size, (index) => callOf(index, '{')),
  )

const matching = (lines: readonly string[], text: (size: number) => string) => (size: number) => {
  const matcher = createWordMatcher(lines)
  const texts = [text(size)]
  return () => matcher.find(texts)
}

const headers = (size: number, value: (size: number) => string) => () =>
  clientAddress(
    new Request('http://gateway.test', { headers: { 'x-forwarded-for': value(size) } }),
    '127.0.0.1',
    ['127.0.0.0/8'],
    { ReverseProxyEnabled: true, ReverseProxyProvider: 'nginx' },
  )

export const hostileInputs: readonly HostileInput[] = [
  {
    name: 'forms: spaces in the headers of parts',
    size: 60,
    make: (size) => {
      const body = form(...times(size, () => `X-A:${' '.repeat(7000)}\n\r\n${field}\r\n\r\n1`))
      const whole = form(...times(size, () => `X-A:a${' '.repeat(7000)}y\r\n${field}\r\n\r\n1`))
      return () => [body, whole].forEach((one) => quietly(() => cutForm(one, 'b')))
    },
  },
  {
    name: 'forms: parameters of a disposition',
    size: 60,
    make: (size) => {
      const body = form(...times(size, () => `${field};a="${'\\"'.repeat(3000)}"\r\n\r\n1`))
      return () => quietly(() => cutForm(body, 'b'))
    },
  },
  {
    name: 'forms: dashes that begin boundaries',
    size: 500_000,
    make: (size) => {
      const body = form(`${field}\r\n\r\n${'\r\n--'.repeat(size)}`)
      return () => quietly(() => cutForm(body, 'b'))
    },
  },
  { name: 'bodies: deep JSON', size: 2_000_000, make: (size) => readBody('['.repeat(size)) },
  {
    name: 'bodies: many small objects',
    size: 20_000,
    make: (size) => readBody(`[${[...times(size, (index) => `{"n${index % 50}":0}`)].join(',')}]`),
  },
  { name: 'bodies: escapes', size: 400_000, make: (size) => readBody(`{"a":"${'\\u00e9'.repeat(size)}"}`) },
  { name: 'bodies: strings that never end', size: 500_000, make: (size) => readBody(`{"a":"${'\\"'.repeat(size)}`) },
  {
    name: 'bodies: long strings',
    size: 60,
    make: (size) => readBody(`[${[...times(size, () => `"${'x'.repeat(20_000)}"`)].join(',')}]`),
  },
  {
    name: 'prompts: a pattern of the operator',
    size: 50_000,
    make: matching(['regex:(make|build)\\s+(a\\s+)?bomb'], (size) => 'make a '.repeat(size)),
  },
  {
    name: 'prompts: forty words',
    size: 100_000,
    make: matching([...times(40, (index) => `word${index}`)], (size) => 'wordword '.repeat(size)),
  },
  {
    name: 'log lines: beginnings of web tokens',
    size: 100_000,
    make: (size) => {
      const text = 'eyJaaaaaaaa-'.repeat(size)
      return () => redact(text)
    },
  },
  {
    name: 'log lines: addresses and keys',
    size: 30_000,
    make: (size) => {
      const text = 'a://b ?key=Bearer gha_* sk-a '.repeat(size)
      return () => redact(text)
    },
  },
  {
    name: 'messages of upstreams: hosts',
    size: 100_000,
    make: (size) => {
      const text = 'a.a-'.repeat(size)
      return () => mask(text)
    },
  },
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
    name: 'results of one turn, for Gemini',
    size: 2000,
    make: requestOf('anthropic-messages', 'gemini', (size) => ({
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [...times(size, (index) => ({ type: 'tool_use', id: `c${index}`, name: 'f', input: {} }))],
        },
        {
          role: 'user',
          content: [
            ...times(size, (index) => ({ type: 'tool_result', tool_use_id: `c${size - index - 1}`, content: 'r' })),
          ],
        },
      ],
    })),
  },
  {
    name: 'results of Responses behind one another',
    size: 2000,
    make: requestOf('openai-responses', 'openai-chat', (size) => ({
      input: [
        { role: 'user', content: 'x' },
        ...times(size, (index) => ({ type: 'function_call', call_id: `c${index}`, name: 'f', arguments: '{}' })),
        ...times(size, (index) => ({ type: 'function_call_output', call_id: `c${index}`, output: 'r' })),
      ],
    })),
  },
  {
    name: 'tools of one name in many namespaces',
    size: 3000,
    make: requestOf('openai-responses', 'openai-chat', (size) => ({
      input: 'x',
      tools: [
        ...times(size, (index) => ({ type: 'namespace', name: `n${index}`, tools: [{ type: 'function', name: 'f' }] })),
      ],
    })),
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
  {
    name: 'realtime: deep messages',
    size: 2_000_000,
    make: (size) => {
      const text = `{"type":"x","a":${'['.repeat(size)}${']'.repeat(size)}}`
      return () => readClientEvent(text)
    },
  },
  {
    name: 'realtime: sound with a wrong end',
    size: 4_000_000,
    make: (size) => {
      const text = `{"type":"input_audio_buffer.append","audio":"${'A'.repeat(size)}`
      return () => readClientEvent(text)
    },
  },
  {
    name: 'realtime: empty messages of an upstream',
    size: 50_000,
    make: (size) => () => {
      for (let count = 0; count < size; count += 1) readSessionReport('{}')
    },
  },
  {
    name: 'recordings of empty frames',
    size: 250_000,
    make: (size) => {
      const bytes = Buffer.concat([...times(size / 7, () => Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0xff, 0xfc]))])
      return () => measuredSeconds({ bytes, size: bytes.length })
    },
  },
  {
    name: 'headers: a chain of proxies',
    size: 600,
    make: (size) => headers(size, (length) => '127.0.0.1, '.repeat(length)),
  },
]
