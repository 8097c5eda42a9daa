import type { JsonObject } from '../../../core/json'
import type { Citation } from '../../../core/neutral/call'
import type { BlockKind, Delta } from '../../../core/neutral/events'
import { freeTextOf } from '../../../core/shared/free-text'

/** Writes the deltas of one block. */
export interface BlockWriter {
  take(delta: Delta): JsonObject | null
  end(): JsonObject | null
}

/** What the blocks of one choice know of one another. */
export interface ChoiceState {
  /** How many calls were begun. */
  calls: number
  /** The tools that take free text, whose calls are told so. */
  readonly free: ReadonlySet<string>
  /** How long the content is so far. */
  length: number
  readonly newId: (prefix: string) => string
}

/** The writer of a block; null when the dialect has no word for it. */
export function blockWriter(of: BlockKind, block: number, choice: ChoiceState): BlockWriter | null {
  switch (of.kind) {
    case 'text':
      return new TextWriter(choice)
    case 'refusal':
      return new RefusalWriter()
    case 'thinking':
    case 'redacted-thinking':
      return new ThoughtWriter(of, block)
    case 'tool-call':
      return choice.free.has(of.name) && !of.isCustom
        ? new FreeTextWriter(of, choice.calls++)
        : new CallWriter(of, choice.calls++)
    case 'media':
      return new MediaWriter(choice)
    default:
      return null
  }
}

/** Places are told within the whole content. A source that names no place stands behind all of its text, once that is known. */
class TextWriter implements BlockWriter {
  readonly #from: number
  readonly #unplaced: Citation[] = []

  constructor(private readonly choice: ChoiceState) {
    this.#from = choice.length
  }

  take(delta: Delta) {
    if (delta.kind === 'citation') return this.#cite(delta.citation)
    if (delta.kind !== 'text' || delta.text === '') return null
    this.choice.length += delta.text.length
    return { content: delta.text }
  }

  end() {
    if (this.#unplaced.length === 0) return null
    return { annotations: this.#unplaced.flatMap((citation) => this.#annotation(citation) ?? []) }
  }

  #cite(citation: Citation): JsonObject | null {
    const annotation = citation.end === undefined ? null : this.#annotation(citation)
    if (annotation) return { annotations: [annotation] }
    if (citation.url !== undefined) this.#unplaced.push(citation)
    return null
  }

  #annotation({ url, title, start, end }: Citation): JsonObject | null {
    if (url === undefined) return null
    const start_index = this.#from + (start ?? 0)
    const end_index = end === undefined ? this.choice.length : this.#from + end
    return { type: 'url_citation', url_citation: { url, title: title ?? url, start_index, end_index } }
  }
}

class RefusalWriter implements BlockWriter {
  take(delta: Delta) {
    return delta.kind === 'text' && delta.text !== '' ? { refusal: delta.text } : null
  }

  end() {
    return null
  }
}

/** The words in the member most clients show; the signature next to them, as OpenRouter gives it and takes it back. */
class ThoughtWriter implements BlockWriter {
  #signature = ''

  constructor(
    private readonly of: Extract<BlockKind, { kind: 'thinking' | 'redacted-thinking' }>,
    private readonly index: number,
  ) {}

  take(delta: Delta) {
    if (delta.kind === 'signature') this.#signature += delta.signature
    if (delta.kind !== 'text' || delta.text === '') return null
    return {
      reasoning_content: delta.text,
      reasoning_details: [{ ...this.#writeDetail(delta.text), ...this.#place() }],
    }
  }

  end() {
    if (this.#signature === '') return null
    const detail =
      this.of.kind === 'redacted-thinking'
        ? { type: 'reasoning.encrypted', data: this.#signature }
        : { ...this.#writeDetail(''), signature: this.#signature }
    return { reasoning_details: [{ ...detail, ...this.#place() }] }
  }

  #writeDetail(text: string) {
    const isSummary = this.of.kind === 'thinking' && this.of.isSummary
    return isSummary ? { type: 'reasoning.summary', summary: text } : { type: 'reasoning.text', text }
  }

  #place() {
    const id = this.of.kind === 'thinking' ? this.of.id : undefined
    return { format: 'unknown', index: this.index, ...(id !== undefined && { id }) }
  }
}

class CallWriter implements BlockWriter {
  #signature = ''
  #hasStarted = false

  constructor(
    private readonly of: Extract<BlockKind, { kind: 'tool-call' }>,
    private readonly index: number,
  ) {}

  take(delta: Delta) {
    if (delta.kind === 'signature') this.#signature += delta.signature
    if (delta.kind !== 'text') return null
    return this.#hasStarted ? this.#more(delta.text) : this.#begin(delta.text)
  }

  end() {
    return this.#hasStarted ? null : this.#begin(this.of.isCustom ? '' : '{}')
  }

  /** The first piece names the call; a signature stands there too. */
  #begin(text: string): JsonObject {
    this.#hasStarted = true
    const { id, name, isCustom } = this.of
    const called = isCustom
      ? { type: 'custom', custom: { name, input: text } }
      : { type: 'function', function: { name, arguments: text } }
    const signed = this.#signature !== '' && { extra_content: { google: { thought_signature: this.#signature } } }
    return { tool_calls: [{ index: this.index, id, ...called, ...signed }] }
  }

  #more(text: string): JsonObject | null {
    if (text === '') return null
    const called = this.of.isCustom ? { custom: { input: text } } : { function: { arguments: text } }
    return { tool_calls: [{ index: this.index, ...called }] }
  }
}

/** The call of a tool that takes free text, which came within JSON and can be told only once all of it is there. */
class FreeTextWriter implements BlockWriter {
  readonly #call: CallWriter
  #json = ''

  constructor(of: Extract<BlockKind, { kind: 'tool-call' }>, index: number) {
    this.#call = new CallWriter({ ...of, isCustom: true }, index)
  }

  take(delta: Delta) {
    if (delta.kind !== 'text') return this.#call.take(delta)
    this.#json += delta.text
    return null
  }

  end() {
    return this.#call.take({ kind: 'text', text: freeTextOf(this.#json) })
  }
}

/** Sounds as OpenAI gives them, pictures as OpenRouter does. */
class MediaWriter implements BlockWriter {
  #id = ''

  constructor(private readonly choice: ChoiceState) {}

  take(delta: Delta) {
    if (delta.kind !== 'media') return null
    const { mime, data, transcript } = delta
    if (!mime.startsWith('audio/'))
      return { images: [{ type: 'image_url', image_url: { url: `data:${mime};base64,${data}` } }] }
    this.#id ||= delta.id ?? this.choice.newId('audio_')
    return { audio: { id: this.#id, ...(data && { data }), ...(transcript && { transcript }) } }
  }

  end() {
    return null
  }
}
