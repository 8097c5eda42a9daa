import { writeToolId } from '../../anthropic-messages/tool-ids'
import type { JsonObject } from '../../../core/json'
import type { BlockKind, Delta } from '../../../core/neutral/events'
import { freeTextOf } from '../../../core/shared/free-text'
import { createItemAdded, createItemDone, type ItemWriter } from './item'

/** How the arguments of a call are told. */
const forms = {
  function: { type: 'function_call', member: 'arguments', event: 'response.function_call_arguments' },
  custom: { type: 'custom_tool_call', member: 'input', event: 'response.custom_tool_call_input' },
} as const

interface Called {
  readonly id: string
  readonly callId: string
  readonly name: string
  readonly namespace?: string | undefined
  /** `wrapped`: free text that came within JSON, and can be told only once all of it is there. */
  readonly form: 'function' | 'custom' | 'wrapped'
}

/** A call. Its begin waits for a signature, which rides in the id that clients return with the result. */
export class CallWriter implements ItemWriter {
  readonly id: string
  #hasStarted = false
  #isOver = false
  #text = ''
  #signature = ''

  constructor(private readonly called: Called) {
    this.id = called.id
  }

  get item(): JsonObject | null {
    if (!this.#hasStarted) return null
    const { id, callId, name, namespace } = this.called
    const { type, member } = this.#form
    return {
      id,
      type,
      status: this.#isOver ? 'completed' : 'in_progress',
      [member]: this.#isOver ? this.#text : '',
      call_id: this.#signature === '' ? callId : writeToolId(callId, this.#signature),
      name,
      ...(namespace !== undefined && { namespace }),
    }
  }

  get #form() {
    return this.called.form === 'function' ? forms.function : forms.custom
  }

  start(_of: BlockKind): boolean {
    return false
  }

  take(delta: Delta): JsonObject[] {
    if (delta.kind === 'signature' && !this.#hasStarted) this.#signature += delta.signature
    if (delta.kind !== 'text' || delta.text === '') return []
    this.#text += delta.text
    return [
      ...this.#begin(),
      ...(this.called.form === 'wrapped' ? [] : [this.#writeEvent('delta', { delta: delta.text })]),
    ]
  }

  endBlock(): JsonObject[] {
    return []
  }

  /** A call without arguments has none, which is JSON too. */
  end(): JsonObject[] {
    const startEvents = this.#begin()
    const before = this.#text
    if (this.called.form === 'function' && before === '') this.#text = '{}'
    if (this.called.form === 'wrapped') this.#text = freeTextOf(before)
    const untold = this.#text !== '' && (before === '' || this.called.form === 'wrapped')
    this.#isOver = true
    return [
      ...startEvents,
      ...(untold ? [this.#writeEvent('delta', { delta: this.#text })] : []),
      this.#writeEvent('done', { [this.#form.member]: this.#text }),
      ...(this.item ? [createItemDone(this.item)] : []),
    ]
  }

  #begin(): JsonObject[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    return this.item ? [createItemAdded(this.item)] : []
  }

  #writeEvent(what: 'delta' | 'done', members: JsonObject): JsonObject {
    return { type: `${this.#form.event}.${what}`, ...members }
  }
}
