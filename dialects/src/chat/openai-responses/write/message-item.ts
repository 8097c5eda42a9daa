import type { JsonObject } from '../../../core/json'
import type { Citation } from '../../../core/neutral/call'
import type { AnswerEvent, BlockKind, Delta } from '../../../core/neutral/events'
import { writeLogProbabilities } from '../../openai-chat/log-probabilities'
import { writeAnnotation } from '../citations'
import { createItemAdded, createItemDone, type ItemWriter } from './item'

type Tokens = Extract<AnswerEvent, { type: 'log-probabilities' }>['tokens']

/** A message: each text, refusal or spoken sentence that follows another is a part of it. */
export class MessageWriter implements ItemWriter {
  hasRefused = false
  readonly #parts: JsonObject[] = []
  #kind: 'text' | 'refusal' = 'text'
  #status = 'in_progress'
  #hasStarted = false
  #isOpen = false
  #text = ''
  #annotations: JsonObject[] = []
  /** Sources without a place stand behind all of the text, once that is known. */
  #unplaced: Citation[] = []
  #tokens: JsonObject[] = []

  constructor(readonly id: string) {}

  get item(): JsonObject | null {
    if (!this.#hasStarted) return null
    return { id: this.id, type: 'message', status: this.#status, role: 'assistant', content: [...this.#parts] }
  }

  start({ kind }: BlockKind): boolean {
    if (kind !== 'text' && kind !== 'refusal') return false
    this.#kind = kind
    return true
  }

  take(delta: Delta): JsonObject[] {
    if (delta.kind === 'text') return this.#appendText(delta.text)
    if (delta.kind === 'media') return this.#appendText(delta.transcript ?? '')
    return delta.kind === 'citation' ? this.#cite(delta.citation) : []
  }

  /** Belong to the text before them; written with the whole text. */
  tokens(tokens: Tokens): void {
    if (!this.#isOpen || this.#kind === 'refusal') return
    const { content } = writeLogProbabilities(tokens)
    if (Array.isArray(content)) for (const token of content) this.#tokens.push(token)
  }

  endBlock(): JsonObject[] {
    const sources = this.#unplaced.splice(0).flatMap((citation) => this.#annotate(citation))
    if (!this.#isOpen) return sources
    const place = { content_index: this.#parts.length }
    const part = this.#part()
    const doneEvent =
      this.#kind === 'refusal'
        ? { type: 'response.refusal.done', ...place, refusal: this.#text }
        : { type: 'response.output_text.done', ...place, text: this.#text, logprobs: this.#tokens }
    this.#parts.push(part)
    this.#isOpen = false
    this.#text = ''
    this.#annotations = []
    this.#tokens = []
    return [...sources, doneEvent, { type: 'response.content_part.done', ...place, part }]
  }

  end(isCut: boolean): JsonObject[] {
    const ended = this.endBlock()
    this.#status = isCut ? 'incomplete' : 'completed'
    return this.item === null ? [] : [...ended, createItemDone(this.item)]
  }

  #appendText(delta: string): JsonObject[] {
    if (delta === '') return []
    const startEvents = this.#begin()
    this.#text += delta
    const place = { content_index: this.#parts.length }
    if (this.#kind === 'refusal') {
      this.hasRefused = true
      return [...startEvents, { type: 'response.refusal.delta', ...place, delta }]
    }
    return [...startEvents, { type: 'response.output_text.delta', ...place, delta, logprobs: [] }]
  }

  #begin(): JsonObject[] {
    if (this.#isOpen) return []
    this.#isOpen = true
    const part = { type: 'response.content_part.added', content_index: this.#parts.length, part: this.#part() }
    if (this.#hasStarted) return [part]
    this.#hasStarted = true
    return [...(this.item ? [createItemAdded(this.item)] : []), part]
  }

  #part(): JsonObject {
    if (this.#kind === 'refusal') return { type: 'refusal', refusal: this.#text }
    return { type: 'output_text', text: this.#text, annotations: [...this.#annotations], logprobs: [...this.#tokens] }
  }

  #cite(citation: Citation): JsonObject[] {
    if (this.#kind === 'refusal') return []
    if (this.#isOpen && citation.end !== undefined) return this.#annotate(citation)
    this.#unplaced.push(citation)
    return []
  }

  #annotate(citation: Citation): JsonObject[] {
    const annotation = this.#isOpen ? writeAnnotation(citation, this.#text.length) : null
    if (annotation === null) return []
    const place = { content_index: this.#parts.length, annotation_index: this.#annotations.length }
    this.#annotations.push(annotation)
    return [{ type: 'response.output_text.annotation.added', ...place, annotation }]
  }
}
