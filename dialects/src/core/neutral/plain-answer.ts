import type { ErrorView } from '../views'
import type { JsonObject } from '../json'
import type { ReportedUsage } from '../usage'
import type { Citation } from './call'
import type { AnswerEvent, BlockKind, Delta, FinishReason } from './events'
import { LeftOutEvents } from './left-out'

/** Why an answer ended, in the words of both sides. */
export interface PlainEnd {
  readonly reason: FinishReason
  readonly rawReason: string
  /** Null: the vendor reported none. */
  readonly usage: ReportedUsage | null
}

/** The events of an answer with one choice, for dialects whose own events hold little but text. */
export class PlainAnswer {
  #isStarted = false
  #isOver = false
  #blocks = 0
  #open: { readonly number: number; readonly kind: BlockKind['kind'] } | null = null
  #length = 0
  readonly #leftOut = new LeftOutEvents()

  /** The answer ended or failed: what the upstream says after that is not read. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The length of the open text, in UTF-16 units. */
  get length(): number {
    return this.#length
  }

  /** Once: later calls return nothing. */
  start(id = '', model = '', createdAt = 0): AnswerEvent[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    return [{ type: 'answer-start', id, model, createdAt }]
  }

  /** More of the open block, or of a new one where another kind is open. */
  append(kind: 'text' | 'thinking', text: string): AnswerEvent[] {
    if (text === '') return []
    const opened = this.#open?.kind === kind ? [] : this.#begin({ kind })
    this.#length += text.length
    return [...opened, ...this.#emit({ kind: 'text', text })]
  }

  /** A tool call, all of it. */
  call(id: string, name: string, argumentsText: string): AnswerEvent[] {
    return [
      ...this.#begin({ kind: 'tool-call', id, name }),
      ...this.#emit({ kind: 'text', text: argumentsText || '{}' }),
      ...this.#endBlock(),
    ]
  }

  /** A source of the open text. */
  cite(citation: Citation): AnswerEvent[] {
    return this.#open?.kind === 'text' ? this.#emit({ kind: 'citation', citation }) : []
  }

  /** Names members with a value that are not known. `of`: what they belong to. */
  leaveOut(value: JsonObject, known: ReadonlySet<string>, of: string): AnswerEvent[] {
    return this.#leftOut.members(value, known, of)
  }

  finish({ reason, rawReason, usage }: PlainEnd): AnswerEvent[] {
    const ended = this.#endBlock()
    this.#isOver = true
    return [
      ...ended,
      { type: 'choice-end', choice: 0, reason, rawReason, stopSequence: null },
      ...(usage === null ? [] : [{ type: 'usage', usage } as const]),
      { type: 'answer-end' },
    ]
  }

  fail(error: ErrorView): AnswerEvent[] {
    const ended = this.#endBlock()
    this.#isOver = true
    return [...ended, { type: 'failure', error }]
  }

  /** The upstream ended: an answer without a `choice-end` was cut off. */
  end(): AnswerEvent[] {
    return this.#isOver ? [] : this.#endBlock()
  }

  #begin(of: BlockKind): AnswerEvent[] {
    const ended = this.#endBlock()
    const number = this.#blocks
    this.#blocks += 1
    this.#open = { number, kind: of.kind }
    return [...ended, { type: 'block-start', choice: 0, block: number, of }]
  }

  #emit(delta: Delta): AnswerEvent[] {
    return this.#open === null ? [] : [{ type: 'block-delta', choice: 0, block: this.#open.number, delta }]
  }

  #endBlock(): AnswerEvent[] {
    if (this.#open === null) return []
    const { number } = this.#open
    this.#open = null
    this.#length = 0
    return [{ type: 'block-end', choice: 0, block: number }]
  }
}
