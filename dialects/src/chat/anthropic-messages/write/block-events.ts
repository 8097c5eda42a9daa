import type { JsonObject } from '../../../core/json'
import type { BlockKind, Delta } from '../../../core/neutral/events'
import { dialectId } from '../name'
import { writeCitation } from '../citations'
import { writeToolId } from '../tool-ids'
import type { CalledName } from '../toolsets'

/** Writes one block; the index of its events is set by the caller. */
export interface WrittenBlock {
  /** It was begun, and so takes a number. */
  readonly isShown: boolean
  start(): readonly JsonObject[]
  take(delta: Delta): readonly JsonObject[]
  end(): readonly JsonObject[]
}

/** The writer of a block; null when the dialect has no word for it. */
export function openBlock(
  of: BlockKind,
  newId: (prefix: string) => string,
  nameOf: (called: string) => CalledName,
): WrittenBlock | null {
  switch (of.kind) {
    case 'text':
    case 'refusal':
    case 'media':
      return new TextWriter(of.kind)
    case 'thinking':
      return new ThinkingWriter()
    case 'redacted-thinking':
      return new RedactedWriter()
    case 'tool-call':
      return new CallWriter(of, of.id || newId('toolu_'), nameOf(of.name))
    case 'search':
      return null
    default:
      return of.dialect === dialectId ? new OwnWriter(of.value) : null
  }
}

const createBlockStart = (content_block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index: 0,
  content_block,
})
const createBlockDelta = (delta: JsonObject): JsonObject => ({ type: 'content_block_delta', index: 0, delta })
const createBlockStop = (): JsonObject => ({ type: 'content_block_stop', index: 0 })

/** A text, a refusal's words, or the words of something spoken; what cannot be written as text is not shown. */
export class TextWriter implements WrittenBlock {
  isShown = false

  constructor(private readonly kind: 'text' | 'refusal' | 'media') {}

  start(): JsonObject[] {
    if (this.kind === 'media' || this.isShown) return []
    this.isShown = true
    return [createBlockStart({ type: 'text', text: '' })]
  }

  take(delta: Delta): JsonObject[] {
    if (delta.kind === 'text') return this.#appendText(delta.text)
    if (delta.kind === 'media') return this.#appendText(delta.transcript ?? '')
    const citation = delta.kind === 'citation' ? writeCitation(delta.citation) : null
    return citation ? [createBlockDelta({ type: 'citations_delta', citation })] : []
  }

  end(): JsonObject[] {
    return this.isShown ? [createBlockStop()] : []
  }

  #appendText(text: string): JsonObject[] {
    if (text === '') return []
    const startEvents = this.isShown ? [] : [createBlockStart({ type: 'text', text: '' })]
    this.isShown = true
    return [...startEvents, createBlockDelta({ type: 'text_delta', text })]
  }
}

/** The signature is told once, at the end: clients keep the last they hear. */
class ThinkingWriter implements WrittenBlock {
  readonly isShown = true
  #signature = ''

  start(): JsonObject[] {
    return [createBlockStart({ type: 'thinking', thinking: '', signature: '' })]
  }

  take(delta: Delta): JsonObject[] {
    if (delta.kind === 'signature') this.#signature += delta.signature
    return delta.kind === 'text' && delta.text !== ''
      ? [createBlockDelta({ type: 'thinking_delta', thinking: delta.text })]
      : []
  }

  end(): JsonObject[] {
    const signature = this.#signature
    return signature === ''
      ? [createBlockStop()]
      : [createBlockDelta({ type: 'signature_delta', signature }), createBlockStop()]
  }
}

/** Has no deltas: its start says all, and so comes last. */
export class RedactedWriter implements WrittenBlock {
  isShown = false
  #data = ''

  start(): JsonObject[] {
    return []
  }

  take(delta: Delta): JsonObject[] {
    if (delta.kind === 'signature') this.#data += delta.signature
    return []
  }

  end(): JsonObject[] {
    if (this.#data === '') return []
    this.isShown = true
    return [createBlockStart({ type: 'redacted_thinking', data: this.#data }), createBlockStop()]
  }
}

/** A call. Its start waits for a signature, which rides in the id. Free text is no JSON, and becomes an object's member. */
class CallWriter implements WrittenBlock {
  isShown = false
  #signature = ''
  #free = ''

  constructor(
    private readonly of: Extract<BlockKind, { kind: 'tool-call' }>,
    private readonly id: string,
    private readonly name: CalledName,
  ) {}

  start(): JsonObject[] {
    return []
  }

  take(delta: Delta): JsonObject[] {
    if (delta.kind === 'signature') this.#signature += delta.signature
    if (delta.kind !== 'text' || delta.text === '') return []
    if (!this.of.isCustom) return [...this.#begin(), json(delta.text)]
    this.#free += delta.text
    return this.#begin()
  }

  end(): JsonObject[] {
    const whole = this.of.isCustom ? [json(JSON.stringify({ input: this.#free }))] : []
    return [...this.#begin(), ...whole, createBlockStop()]
  }

  #begin(): JsonObject[] {
    if (this.isShown) return []
    this.isShown = true
    return [createBlockStart({ type: 'tool_use', id: writeToolId(this.id, this.#signature), ...this.name, input: {} })]
  }
}

const json = (partial_json: string): JsonObject => createBlockDelta({ type: 'input_json_delta', partial_json })

class OwnWriter implements WrittenBlock {
  readonly isShown = true

  constructor(private readonly value: JsonObject) {}

  start(): JsonObject[] {
    return [createBlockStart(this.value)]
  }

  take(delta: Delta): JsonObject[] {
    return delta.kind === 'own' && delta.dialect === dialectId ? [createBlockDelta(delta.value)] : []
  }

  end(): JsonObject[] {
    return [createBlockStop()]
  }
}
