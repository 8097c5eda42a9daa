import type { JsonObject } from '../../json'
import type { Citation } from '../../neutral/call'
import type { BlockKind, Delta } from '../../neutral/events'

/** Writes the deltas of one block. */
export interface BlockWriter {
  start(): JsonObject | null
  take(delta: Delta): JsonObject | null
  end(): JsonObject | null
}

export interface CallPlaces {
  /** The place of the next call among the calls of its choice. */
  next(): number
}

/** The writer of a block; null when the dialect has no word for it. */
export function blockWriter(of: BlockKind, block: number, calls: CallPlaces): BlockWriter | null {
  switch (of.kind) {
    case 'text':
      return new TextWriter('content')
    case 'refusal':
      return new TextWriter('refusal')
    case 'thinking':
    case 'redacted-thinking':
      return new ThoughtWriter(of, block)
    case 'tool-call':
      return new CallWriter(of, calls.next())
    case 'media':
      return new MediaWriter()
    default:
      return null
  }
}

class TextWriter implements BlockWriter {
  #length = 0

  constructor(private readonly member: 'content' | 'refusal') {}

  start() {
    return null
  }

  take(delta: Delta) {
    if (delta.kind === 'citation') return annotation(delta.citation, this.#length)
    if (delta.kind !== 'text' || delta.text === '') return null
    this.#length += delta.text.length
    return { [this.member]: delta.text }
  }

  end() {
    return null
  }
}

/** Where the source does not say which words it stands behind, it stands behind all until here. */
function annotation({ url, title, start, end }: Citation, length: number): JsonObject | null {
  if (url === undefined) return null
  const place = { start_index: start ?? 0, end_index: end ?? length }
  return { annotations: [{ type: 'url_citation', url_citation: { url, title: title ?? url, ...place } }] }
}

/** The words in the member most clients show; the signature beside them, as OpenRouter gives it and takes it back. */
class ThoughtWriter implements BlockWriter {
  #signature = ''

  constructor(
    private readonly of: Extract<BlockKind, { kind: 'thinking' | 'redacted-thinking' }>,
    private readonly index: number,
  ) {}

  start() {
    return null
  }

  take(delta: Delta) {
    if (delta.kind === 'signature') this.#signature += delta.signature
    if (delta.kind !== 'text' || delta.text === '') return null
    return { reasoning_content: delta.text, reasoning_details: [{ ...this.#named(), ...this.#said(delta.text) }] }
  }

  end() {
    if (this.#signature === '') return null
    if (this.of.kind === 'redacted-thinking')
      return {
        reasoning_details: [
          { type: 'reasoning.encrypted', data: this.#signature, format: 'unknown', ...this.#place() },
        ],
      }
    return { reasoning_details: [{ ...this.#named(), signature: this.#signature, ...this.#said('') }] }
  }

  #named() {
    return { type: this.#isSummary ? 'reasoning.summary' : 'reasoning.text', format: 'unknown', ...this.#place() }
  }

  #said(text: string) {
    return this.#isSummary ? { summary: text } : { text }
  }

  get #isSummary(): boolean {
    return this.of.kind === 'thinking' && this.of.isSummary === true
  }

  #place() {
    const id = this.of.kind === 'thinking' ? this.of.id : undefined
    return { index: this.index, ...(id !== undefined && { id }) }
  }
}

class CallWriter implements BlockWriter {
  #signature = ''
  #isBegun = false

  constructor(
    private readonly of: Extract<BlockKind, { kind: 'tool-call' }>,
    private readonly index: number,
  ) {}

  start() {
    return null
  }

  take(delta: Delta) {
    if (delta.kind === 'signature') this.#signature += delta.signature
    if (delta.kind !== 'text') return null
    return this.#isBegun ? this.#more(delta.text) : this.#begin(delta.text)
  }

  end() {
    return this.#isBegun ? null : this.#begin('')
  }

  /** The first piece names the call; a signature stands there too. */
  #begin(text: string): JsonObject {
    this.#isBegun = true
    const { id, name, isCustom } = this.of
    const called = isCustom ? { type: 'custom', custom: { name, input: text } } : functionCall(name, text)
    const signed = this.#signature !== '' && { extra_content: { google: { thought_signature: this.#signature } } }
    return { tool_calls: [{ index: this.index, id, ...called, ...signed }] }
  }

  #more(text: string): JsonObject | null {
    if (text === '') return null
    const called = this.of.isCustom ? { custom: { input: text } } : { function: { arguments: text } }
    return { tool_calls: [{ index: this.index, ...called }] }
  }
}

const functionCall = (name: string, text: string) => ({ type: 'function', function: { name, arguments: text } })

/** Sounds as OpenAI gives them, pictures as OpenRouter does. */
class MediaWriter implements BlockWriter {
  start() {
    return null
  }

  take(delta: Delta) {
    if (delta.kind !== 'media') return null
    const { mime, data, transcript, id } = delta
    if (mime.startsWith('audio/'))
      return { audio: { ...(id && { id }), ...(data && { data }), ...(transcript && { transcript }) } }
    return { images: [{ type: 'image_url', image_url: { url: `data:${mime};base64,${data}` } }] }
  }

  end() {
    return null
  }
}
