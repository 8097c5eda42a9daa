import type { JsonObject } from '../../../core/json'
import type { BlockKind, Delta } from '../../../core/neutral/events'
import { createItemAdded, createItemDone, type ItemWriter } from './item'

/**
 * A thought, as the summary that clients of this dialect show; one block is one section. What proves it to its vendor,
 * whichever that is, goes where clients keep such: into the encrypted content. Redacted thoughts have no section at all.
 */
export class ThoughtWriter implements ItemWriter {
  #hasStarted = false
  #hasSection = false
  #text = ''
  #signature = ''

  constructor(
    readonly id: string,
    private readonly isRedacted: boolean,
  ) {}

  get item(): JsonObject | null {
    if (!this.#hasStarted) return null
    return {
      id: this.id,
      type: 'reasoning',
      summary: this.#hasSection ? [this.#section()] : [],
      ...(this.#signature !== '' && { encrypted_content: this.#signature }),
    }
  }

  start(_of: BlockKind): boolean {
    return false
  }

  take(delta: Delta): JsonObject[] {
    if (delta.kind === 'signature') this.#signature += delta.signature
    if (delta.kind !== 'text' || delta.text === '' || this.isRedacted) return []
    const startEvents = this.#beginSection()
    this.#text += delta.text
    return [...startEvents, { type: 'response.reasoning_summary_text.delta', summary_index: 0, delta: delta.text }]
  }

  endBlock(): JsonObject[] {
    return []
  }

  /** A signed thought without words has an empty section: it is not a redacted one. */
  end(): JsonObject[] {
    if (!this.#hasStarted && this.#signature === '') return []
    const startEvents = this.isRedacted ? this.#begin() : this.#beginSection()
    const section = this.isRedacted
      ? []
      : [
          { type: 'response.reasoning_summary_text.done', summary_index: 0, text: this.#text },
          { type: 'response.reasoning_summary_part.done', summary_index: 0, part: this.#section() },
        ]
    return [...startEvents, ...section, ...(this.item ? [createItemDone(this.item)] : [])]
  }

  #section(): JsonObject {
    return { type: 'summary_text', text: this.#text }
  }

  #begin(): JsonObject[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    return [createItemAdded({ id: this.id, type: 'reasoning', summary: [] })]
  }

  #beginSection(): JsonObject[] {
    if (this.#hasSection) return []
    const startEvents = this.#begin()
    this.#hasSection = true
    const part = { type: 'summary_text', text: '' }
    return [...startEvents, { type: 'response.reasoning_summary_part.added', summary_index: 0, part }]
  }
}
