import type { JsonObject } from '../../../core/json'
import { LeftOutEvents } from '../../../core/neutral/left-out'
import { textOf } from '../../../core/neutral/read'
import { dialectId } from '../name'
import type { AnswerEvent, BlockKind, Delta } from '../../../core/neutral/events'

/** Makes the events of an answer's blocks: numbered, and one open at a time. */
export class BlockEvents {
  calls = 0
  hasRefused = false
  /** Blocks that were begun. */
  count = 0
  #isOpen = false
  #events: AnswerEvent[] = []
  readonly #leftOut = new LeftOutEvents()

  open(of: BlockKind): void {
    this.close()
    this.#isOpen = true
    this.count += 1
    if (of.kind === 'tool-call') this.calls += 1
    if (of.kind === 'refusal') this.hasRefused = true
    this.#events.push({ type: 'block-start', choice: 0, block: this.count - 1, of })
  }

  emit(delta: Delta): void {
    if (this.#isOpen) this.#events.push({ type: 'block-delta', choice: 0, block: this.count - 1, delta })
  }

  append(text: string): void {
    if (text !== '') this.emit({ kind: 'text', text })
  }

  sign(signature: string): void {
    if (signature !== '') this.emit({ kind: 'signature', signature })
  }

  add(event: AnswerEvent): void {
    this.#events.push(event)
  }

  /** Names a part or an event that no other dialect has. */
  leaveOut(value: JsonObject): void {
    this.#events.push(...this.#leftOut.part(value, dialectId))
  }

  /** Names members with a value that are not known. */
  leaveOutMembers(value: JsonObject, known: ReadonlySet<string>): void {
    this.#events.push(...this.#leftOut.members(value, known, textOf(value['type'])))
  }

  close(): void {
    if (this.#isOpen) this.#events.push({ type: 'block-end', choice: 0, block: this.count - 1 })
    this.#isOpen = false
  }

  take(): AnswerEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}
