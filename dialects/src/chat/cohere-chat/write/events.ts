import type { ErrorView } from '../../../core/views'
import type { JsonObject } from '../../../core/json'
import type { Answering } from '../../../core/neutral/codec'
import type { BlockKind, BlockStart, Delta, FinishReason } from '../../../core/neutral/events'
import { FirstChoiceWriter } from '../../../core/neutral/first-choice-writer'
import { failedEnd } from '../errors'
import { usageBody } from '../usage'
import type { Citation } from '../../../core/neutral/call'
import { omitUndefined } from '../../../core/neutral/read'

/** What was begun and not ended. */
interface OpenBlock {
  readonly kind: 'text' | 'thinking' | 'call'
  readonly index: number
  text: string
}

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'COMPLETE',
  'stop-sequence': 'STOP_SEQUENCE',
  length: 'MAX_TOKENS',
  'tool-calls': 'TOOL_CALL',
  'content-filter': 'ERROR',
  refusal: 'COMPLETE',
  pause: 'COMPLETE',
  'context-window': 'MAX_TOKENS',
  other: 'COMPLETE',
}

/** Writes the events of a chat's stream. https://docs.cohere.com/docs/streaming */
export class CohereEventWriter extends FirstChoiceWriter {
  readonly #id: string
  #open: OpenBlock | null = null
  #contents = 0
  #calls = 0
  #citations = 0

  constructor({ newId }: Answering) {
    super()
    this.#id = newId('')
  }

  protected start(): JsonObject[] {
    return [{ type: 'message-start', id: this.#id, delta: { message: emptyMessage } }]
  }

  protected fail(error: ErrorView): JsonObject[] {
    return [failedEnd(error)]
  }

  protected end(): JsonObject[] {
    return [{ type: 'message-end', id: this.#id, delta: this.#ending }, endMark]
  }

  get #ending(): JsonObject {
    const { usage, reason } = this
    return {
      finish_reason: reasons[reason],
      ...(reason === 'content-filter' && { error: 'The content was filtered.' }),
      ...(usage && { usage: usageBody(usage) }),
    }
  }

  protected beginBlock({ of }: BlockStart): JsonObject[] {
    if (of.kind === 'tool-call') return this.#startCall(of)
    const kind = of.kind === 'thinking' ? 'thinking' : of.kind === 'text' || of.kind === 'refusal' ? 'text' : null
    if (kind === null) return []
    const index = this.#contents
    this.#contents += 1
    this.#open = { kind, index, text: '' }
    return [{ type: 'content-start', index, delta: { message: { content: { type: kind, [kind]: '' } } } }]
  }

  #startCall({ id, name }: Extract<BlockKind, { kind: 'tool-call' }>): JsonObject[] {
    const index = this.#calls
    this.#calls += 1
    this.#open = { kind: 'call', index, text: '' }
    const call = { id, type: 'function', function: { name, arguments: '' } }
    return [{ type: 'tool-call-start', index, delta: { message: { tool_calls: call } } }]
  }

  protected delta(delta: Delta): JsonObject[] {
    const open = this.#open
    if (open === null) return []
    if (delta.kind === 'citation' && open.kind === 'text') return this.#cite(delta.citation, open)
    return delta.kind === 'text' && delta.text !== '' ? [more(open, delta.text)] : []
  }

  #cite(citation: Extract<Delta, { kind: 'citation' }>['citation'], { text, index: content }: OpenBlock): JsonObject[] {
    const index = this.#citations
    this.#citations += 1
    const citations = writeCitation(citation, text, content)
    return [
      { type: 'citation-start', index, delta: { message: { citations } } },
      { type: 'citation-end', index },
    ]
  }

  /** A tool without parameters is called with an empty object. */
  protected endBlock(): JsonObject[] {
    const open = this.#open
    if (open === null) return []
    this.#open = null
    const { kind, index, text } = open
    if (kind !== 'call') return [{ type: 'content-end', index }]
    return [...(text === '' ? [more(open, '{}')] : []), { type: 'tool-call-end', index }]
  }
}

const emptyMessage = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }

/** Stands for the event that ends a stream, which holds no object. */
export const endMark: JsonObject = {}

function more(open: OpenBlock, text: string): JsonObject {
  open.text += text
  const { kind, index } = open
  return kind === 'call'
    ? { type: 'tool-call-delta', index, delta: { message: { tool_calls: { function: { arguments: text } } } } }
    : { type: 'content-delta', index, delta: { message: { content: { [kind]: text } } } }
}

/** A citation of a text, whose part it names. https://docs.cohere.com/docs/rag-citations */
function writeCitation({ own, url, title, quote, start = 0, end }: Citation, text: string, index: number): JsonObject {
  if (own?.dialect === 'cohere-chat') return own.value
  const last = end ?? text.length
  const document = omitUndefined({ url, title, snippet: quote })
  return {
    start,
    end: last,
    text: text.slice(start, last),
    sources: [{ type: 'document', id: url ?? title ?? '', document }],
    content_index: index,
    type: 'TEXT_CONTENT',
  }
}
