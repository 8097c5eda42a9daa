import { writeToolId } from '../../anthropic-messages/tool-ids'
import type { JsonObject } from '../../../core/json'
import type { BlockKind, Delta } from '../../../core/neutral/events'
import { freeTextOf, takesFreeText } from '../../../core/shared/free-text'
import { createItemAdded, createItemDone, type IdOf, type ItemWriter } from './item'
import type { FunctionTool, Tool } from '../../../core/neutral/call'
import { nestedObject } from '../../../core/neutral/read'
import { calledMembers, type ClientTool, clientToolOfType } from '../client-tools'
import { dialectId } from '../name'

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
class CallWriter implements ItemWriter {
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

export type FunctionsByName = ReadonlyMap<string, FunctionTool>

export const functionsByName = (tools: readonly Tool[]): FunctionsByName =>
  new Map(tools.flatMap((tool) => (tool.kind === 'function' ? [[tool.name, tool]] : [])))

/** The writer of a call, in the form in which the client declared the tool. */
export function openCall(
  of: Extract<BlockKind, { kind: 'tool-call' }>,
  tools: FunctionsByName,
  idOf: IdOf,
): ItemWriter {
  const tool = tools.get(of.name)
  const origin = tool?.origin?.dialect === dialectId ? tool.origin : undefined
  const kind = origin && clientToolOfType(origin.type)
  const callId = () => idOf('call_', of.id, '')
  if (origin && kind) {
    const prefix = `${kind.call
      .split('_')
      .map((word) => word[0])
      .join('')}_`
    return new ClientCallWriter({ id: idOf(prefix, of.itemId), callId: callId(), name: of.name, kind })
  }
  const isWrapped = tool !== undefined && takesFreeText(tool)
  const form = of.isCustom ? 'custom' : isWrapped ? 'wrapped' : 'function'
  const id = idOf(form === 'function' ? 'fc_' : 'ctc_', of.itemId)
  return new CallWriter({ id, callId: callId(), name: origin?.name ?? of.name, namespace: origin?.namespace, form })
}

interface OpenCall {
  readonly id: string
  readonly callId: string
  /** As a function. */
  readonly name: string
  readonly kind: ClientTool
}

/** A call of a tool that has a form of its own. It is written once all of its arguments are there, as they are in its members. */
class ClientCallWriter implements ItemWriter {
  readonly id: string
  #text = ''
  #signature = ''
  #isOver = false

  constructor(private readonly called: OpenCall) {
    this.id = called.id
  }

  get item(): JsonObject | null {
    return this.#isOver ? this.#item('completed') : null
  }

  start(_of: BlockKind): boolean {
    return false
  }

  take(delta: Delta): JsonObject[] {
    if (delta.kind === 'signature') this.#signature += delta.signature
    if (delta.kind === 'text') this.#text += delta.text
    return []
  }

  endBlock(): JsonObject[] {
    return []
  }

  end(): JsonObject[] {
    this.#isOver = true
    return [createItemAdded(this.#item('in_progress')), createItemDone(this.#item('completed'))]
  }

  /** Arguments that do not fit are left to the client, which tells the model so. */
  #item(status: string): JsonObject {
    const { id, callId, name, kind } = this.called
    const call_id = this.#signature === '' ? callId : writeToolId(callId, this.#signature)
    const members = calledMembers(kind, nestedObject(this.#text || '{}'))
    if (members === null) return { id, type: 'function_call', status, arguments: this.#text || '{}', call_id, name }
    return { id, type: kind.call, status, call_id, ...members }
  }
}
