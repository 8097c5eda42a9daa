import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent, BlockKind, BlockStart, Delta, FinishReason } from '../../../core/neutral/events'
import { objectOf, omitUndefined, textOf } from '../../../core/neutral/read'
import { CitedText } from '../cited-text'
import { cohereError, failedEnd } from '../errors'
import type { ErrorView } from '../../../core/views'
import { FirstChoiceWriter } from '../../../core/neutral/first-choice-writer'
import { usageBody } from '../usage'
import type { Citation } from '../../../core/neutral/call'

/** A stream of a chat. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new CohereEventWriter(answering)
  return { write: (events) => events.flatMap((event) => writer.take(event)) }
}

export const eventText = (event: JsonObject): string =>
  event === endMark ? 'data: [DONE]\n\n' : `event: ${textOf(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`

/** A whole chat: what its stream adds up to. After a failure, the error. */
export function writeAnswer(events: readonly AnswerEvent[], answering: Answering): JsonObject {
  const writer = new CohereEventWriter(answering)
  const whole = new WholeChat()
  for (const event of events) for (const written of writer.take(event)) whole.take(written)
  return writer.error ? cohereError(writer.error) : whole.value
}

class WholeChat {
  readonly #contents: JsonObject[] = []
  readonly #calls: JsonObject[] = []
  readonly #citations: unknown[] = []
  #id = ''
  #ending: JsonObject = {}

  take(event: JsonObject): void {
    const message = objectOf(objectOf(event['delta'])['message'])
    const content = objectOf(message['content'])
    switch (event['type']) {
      case 'content-start':
        this.#contents.push({ ...content })
        return
      case 'content-delta':
        return addTexts(this.#contents.at(-1), content)
      case 'tool-call-start':
        this.#calls.push(structuredClone(objectOf(message['tool_calls'])))
        return
      case 'tool-call-delta':
        return addTexts(
          objectOf(this.#calls.at(-1)?.['function']),
          objectOf(objectOf(message['tool_calls'])['function']),
        )
      case 'citation-start':
        this.#citations.push(message['citations'])
        return
      case 'message-end':
        this.#id = textOf(event['id'])
        this.#ending = objectOf(event['delta'])
    }
  }

  get value(): JsonObject {
    const { finish_reason, usage } = this.#ending
    return {
      id: this.#id,
      finish_reason,
      message: {
        role: 'assistant',
        ...((this.#contents.length > 0 || this.#calls.length === 0) && { content: this.#contents }),
        ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
        ...(this.#citations.length > 0 && { citations: this.#citations }),
      },
      ...(usage !== undefined && { usage }),
    }
  }
}

/** Adds each text to that of the same name. */
function addTexts(to: { [name: string]: unknown } | undefined, texts: JsonObject): void {
  if (to === undefined) return
  for (const [name, text] of Object.entries(texts)) to[name] = textOf(to[name]) + textOf(text)
}

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
class CohereEventWriter extends FirstChoiceWriter {
  readonly #id: string
  #open: OpenBlock | null = null
  #contents = 0
  #calls = 0
  readonly #sources = new CitedText()

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
    const index = this.#sources.count
    const citations = writeCitation(citation, text, content, this.#sources)
    if (citations === null) return []
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

/** A citation of a text, whose part it names; null where it is left out. https://docs.cohere.com/docs/rag-citations */
function writeCitation(
  { own, url, title, quote, start = 0, end }: Citation,
  text: string,
  index: number,
  sources: CitedText,
): JsonObject | null {
  const last = end ?? text.length
  const isOwn = own?.dialect === 'cohere-chat'
  const named = isOwn ? sources.take('', 0, 0) : sources.take(text, start, last)
  if (named === null) return null
  if (isOwn) return own.value
  const document = omitUndefined({ url, title, snippet: quote })
  return {
    start,
    end: last,
    text: named,
    sources: [{ type: 'document', id: url ?? title ?? '', document }],
    content_index: index,
    type: 'TEXT_CONTENT',
  }
}
