import { writeToolId } from '../../anthropic-messages/tool-ids'
import type { JsonObject } from '../../../core/json'
import type { FunctionTool, Tool } from '../../../core/neutral/call'
import type { BlockKind, Delta } from '../../../core/neutral/events'
import { parsedObject } from '../../../core/neutral/read'
import { takesFreeText } from '../../../core/shared/free-text'
import { calledMembers, clientToolOfType, type ClientTool } from '../client-tools'
import { dialectId } from '../name'
import { CallWriter } from './call-item'
import { createItemAdded, createItemDone, type IdOf, type ItemWriter } from './item'

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

interface Called {
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

  constructor(private readonly called: Called) {
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
    const members = calledMembers(kind, parsedObject(this.#text || '{}'))
    if (members === null) return { id, type: 'function_call', status, arguments: this.#text || '{}', call_id, name }
    return { id, type: kind.call, status, call_id, ...members }
  }
}
