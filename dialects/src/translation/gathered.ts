import { inBody } from '../core/views'
import { isObject, type JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import type { ClientCodec, ServerEvent, UpstreamCodec } from '../core/neutral/codec'
import { objectsOf, parsedObject } from '../core/neutral/read'
import { openAiChatCodec } from '../chat/openai-chat/codec'
import { openAiResponsesCodec } from '../chat/openai-responses/codec'
import { serverEvent } from '../core/streaming/sse-frames'
import { dialects } from '../dialects'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * Returns what makes one response of a chat's stream, for upstreams that do nothing but stream; null for dialects without a stream of
 * their own. What is not a stream stays as it is, and a stream without an end leaves nothing.
 */
export function gatheredStream(dialect: DialectId): ((body: Bytes) => Bytes) | undefined {
  const { codec } = dialects[dialect]
  if (codec?.kind !== 'chat' || !codec.client || !codec.upstream) return undefined
  const gather = dialect === 'openai-responses' ? lastResponse : gatherWith(codec.upstream, codec.client)
  return (body) => {
    const text = new TextDecoder().decode(body)
    const isLines = dialect === 'ollama-chat'
    if (!isLines && text.trimStart().startsWith('{')) return body
    const answer = gather(isLines ? linesOf(text) : eventsOf(text))
    return new TextEncoder().encode(answer === null ? '' : JSON.stringify(answer))
  }
}

const eventsOf = (text: string): ServerEvent[] => text.split(/\r?\n\r?\n/).flatMap((frame) => serverEvent(frame) ?? [])

const linesOf = (text: string): ServerEvent[] => text.split(/\r?\n/).map((data) => ({ name: '', data }))

/** Nothing of the request is known where a response is gathered, and nothing of it is needed. */
const anyCall = openAiChatCodec.readCall({ model: 'any', messages: [{ role: 'user', content: '' }] }, inBody)

const gatherWith =
  ({ createReader }: UpstreamCodec, { writeAnswer }: ClientCodec) =>
  (events: readonly ServerEvent[]): JsonObject | null => {
    const reader = createReader()
    const read = [...events.flatMap((event) => reader.read(event)), ...reader.end()]
    if (!read.some(({ type }) => type === 'answer-end' || type === 'failure')) return null
    const start = read.find((event) => event.type === 'answer-start')
    const { model = '', createdAt: now = 0 } = start ?? {}
    return writeAnswer(read, { model, includeUsage: true, now, newId: (prefix) => prefix, call: anyCall })
  }

const lastEvents: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

const gatherResponse = gatherWith(openAiResponsesCodec, openAiResponsesCodec)

/** The last event holds the response in one piece; some leave out of it what the events before it said. */
function lastResponse(events: readonly ServerEvent[]): JsonObject | null {
  const read = events.flatMap(({ data }): JsonObject[] => {
    const event = parsedObject(data)
    return event === null ? [] : [event]
  })
  const last = read.findLast(({ type }) => lastEvents.has(type))
  if (isObject(last?.['response'])) return withOutput(last['response'], read, events)
  return read.find(({ type, error }) => type === 'error' || isObject(error)) ?? null
}

/** Items as they were sent have ids, by which clients send them back. */
function withOutput(response: JsonObject, reported: readonly JsonObject[], events: readonly ServerEvent[]): JsonObject {
  if (objectsOf(response['output']).length > 0) return response
  const items = reported.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
  const output = items.length > 0 ? items : objectsOf(gatherResponse(events)?.['output'])
  return output.length === 0 ? response : { ...response, output }
}
