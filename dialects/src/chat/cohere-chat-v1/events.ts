import type { ErrorView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import type { Message, NeutralCall, Part } from '../../core/neutral/call'
import type { Answering } from '../../core/neutral/codec'
import type { BlockKind, BlockStart, Delta, FinishReason } from '../../core/neutral/events'
import { FirstChoiceWriter } from '../../core/neutral/first-choice-writer'
import { nestedObject, omitUndefined } from '../../core/neutral/read'
import { CitedText } from '../cohere-chat/cited-text'
import { usageBody } from '../cohere-chat/usage'

const reasons: Partial<Record<FinishReason, string>> = {
  length: 'MAX_TOKENS',
  'context-window': 'ERROR_LIMIT',
  'content-filter': 'ERROR_TOXIC',
}

/** Writes the events of a stream of the first version. https://docs.cohere.com/v1/docs/streaming */
export class FirstEventWriter extends FirstChoiceWriter {
  readonly #id: string
  #of: BlockKind | null = null
  #text = ''
  /** Where the open block begins in it. */
  #from = 0
  #arguments = ''
  readonly #calls: JsonObject[] = []
  readonly #citations: JsonObject[] = []
  readonly #sources = new CitedText()

  constructor(private readonly answering: Answering) {
    super()
    this.#id = answering.newId('')
  }

  protected start(): JsonObject[] {
    return [{ is_finished: false, event_type: 'stream-start', generation_id: this.#id }]
  }

  protected beginBlock({ of }: BlockStart): JsonObject[] {
    this.#of = of
    this.#arguments = ''
    this.#from = this.#text.length
    return of.kind === 'tool-call' ? [chunk({ index: this.#calls.length, name: of.name })] : []
  }

  protected endBlock(): JsonObject[] {
    if (this.#of?.kind === 'tool-call') this.#calls.push(callOf(this.#of.name, this.#arguments))
    this.#of = null
    return []
  }

  protected fail(error: ErrorView): JsonObject[] {
    return [failedStreamEnd(error)]
  }

  /** The whole answer. */
  get response(): JsonObject {
    const calls = this.#calls.length > 0 && { tool_calls: this.#calls }
    return {
      response_id: this.#id,
      generation_id: this.#id,
      text: this.#text,
      chat_history: [...historyOf(this.answering.call), { role: 'CHATBOT', message: this.#text, ...calls }],
      finish_reason: reasons[this.reason] ?? 'COMPLETE',
      meta: { api_version: { version: '1' }, ...(this.usage && usageBody(this.usage)) },
      ...calls,
      ...(this.#citations.length > 0 && { citations: this.#citations }),
    }
  }

  protected end(): JsonObject[] {
    const { response } = this
    const called = { is_finished: false, event_type: 'tool-calls-generation', tool_calls: this.#calls }
    const end = { is_finished: true, event_type: 'stream-end', finish_reason: response['finish_reason'], response }
    return this.#calls.length > 0 ? [called, end] : [end]
  }

  protected delta(delta: Delta): JsonObject[] {
    const kind = this.#of?.kind
    if (delta.kind === 'citation') return this.#cite(delta.citation)
    if (delta.kind !== 'text' || delta.text === '') return []
    if (kind === 'tool-call') {
      this.#arguments += delta.text
      return [chunk({ index: this.#calls.length, parameters: delta.text })]
    }
    if (kind !== 'text' && kind !== 'refusal') return []
    this.#text += delta.text
    return [{ is_finished: false, event_type: 'text-generation', text: delta.text }]
  }

  #cite({ url, title, ...place }: Extract<Delta, { kind: 'citation' }>['citation']): JsonObject[] {
    const start = this.#from + (place.start ?? 0)
    const end = place.end === undefined ? this.#text.length : this.#from + place.end
    const text = this.#sources.take(this.#text, start, end)
    if (text === null) return []
    const citation = { start, end, text, document_ids: [url ?? title ?? ''] }
    this.#citations.push(citation)
    return [{ is_finished: false, event_type: 'citation-generation', citations: [citation] }]
  }
}

const chunk = (tool_call_delta: JsonObject): JsonObject => ({
  is_finished: false,
  event_type: 'tool-calls-chunk',
  tool_call_delta,
})

/** An error inside a stream, which ends it. */
export const failedStreamEnd = ({ message }: Pick<ErrorView, 'message'>): JsonObject => ({
  is_finished: true,
  event_type: 'stream-end',
  finish_reason: 'ERROR',
  error: message,
  response: { text: '', finish_reason: 'ERROR' },
})

/** The conversation so far as the first version tells it; without the instructions before it, which clients send each time. */
const historyOf = ({ messages }: NeutralCall): JsonObject[] =>
  messages.flatMap((message, index) => (index === 0 && message.role === 'system' ? [] : entriesOf(message)))

function entriesOf({ role, parts }: Message): JsonObject[] {
  const results = parts.filter((part) => part.kind === 'tool-result')
  if (results.length > 0)
    return [
      {
        role: 'TOOL',
        tool_results: results.map(({ name, parts: shown }) => ({
          call: { name, parameters: {} },
          outputs: [{ output: textIn(shown) }],
        })),
      },
    ]
  const calls = parts.filter((part) => part.kind === 'tool-call')
  return [
    omitUndefined({
      role: role === 'assistant' ? 'CHATBOT' : role === 'user' ? 'USER' : 'SYSTEM',
      message: textIn(parts),
      tool_calls: calls.length > 0 ? calls.map(({ name, argumentsText }) => callOf(name, argumentsText)) : undefined,
    }),
  ]
}

const textIn = (parts: readonly Part[]): string => parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')

const callOf = (name: string, argumentsText: string): JsonObject => ({
  name,
  parameters: argumentsText.trim() === '' ? {} : (nestedObject(argumentsText) ?? { input: argumentsText }),
})
