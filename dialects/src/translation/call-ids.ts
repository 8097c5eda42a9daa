import type { Message, NeutralCall, Part } from '../core/neutral/call'
import type { EventReader } from '../core/neutral/codec'
import type { AnswerEvent } from '../core/neutral/events'

/*
 * Calls of tools have ids by which clients find their results, in a conversation of many answers. Some hosts count them anew in each answer,
 * or give several the same one: Anthropic refuses that (“tool_use ids must be unique”), and its clients take a new call for an old one.
 * https://github.com/NVIDIA-NeMo/Switchyard/issues/502
 */

type IdPart = Extract<Part, { kind: 'tool-call' | 'tool-result' }>

/** The calls of an id that have no result yet, in their order. */
interface Waiting {
  /** The message that they stand in. */
  readonly message: Message
  readonly calls: { readonly id: string; readonly name: string }[]
}

/** Returns the call with an id of its own for each call of a tool, by which its result goes; the same object where they have one. */
export function withUniqueCallIds(call: NeutralCall): NeutralCall {
  if (!hasRepeatedIds(call)) return call
  const taken = new Set<string>()
  const waiting = new Map<string, Waiting>()
  const change = (part: Part, message: Message): Part => {
    if (part.kind !== 'tool-call' && part.kind !== 'tool-result') return part
    return part.kind === 'tool-call' ? changeCall(part, message) : changeResult(part)
  }
  const changeCall = (part: Extract<IdPart, { kind: 'tool-call' }>, message: Message): Part => {
    const id = freeId(part.id, taken)
    taken.add(id)
    const before = waiting.get(part.id)
    const named = { id, name: part.name }
    // The results of one answer come before the calls of the next.
    if (before?.message === message) before.calls.push(named)
    else waiting.set(part.id, { message, calls: [named] })
    return id === part.id ? part : { ...part, id }
  }
  const changeResult = (part: Extract<IdPart, { kind: 'tool-result' }>): Part => {
    const calls = waiting.get(part.callId)?.calls
    const answered = calls && calls.length > 1 ? calls.shift() : calls?.[0]
    return answered === undefined ? part : { ...part, callId: answered.id, name: answered.name }
  }
  return {
    ...call,
    messages: call.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => change(part, message)),
    })),
  }
}

function hasRepeatedIds({ messages }: NeutralCall): boolean {
  const seen = new Set<string>()
  for (const id of callIds(messages)) {
    if (seen.has(id)) return true
    seen.add(id)
  }
  return false
}

function* callIds(messages: readonly Message[]): Generator<string> {
  for (const { parts } of messages) for (const part of parts) if (part.kind === 'tool-call') yield part.id
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id
  for (let count = 2; ; count += 1) if (!taken.has(`${id}_${count}`)) return `${id}_${count}`
}

/** Gives each call of an answer an id that no call of the conversation has. */
export class FreshCallIds {
  readonly #taken: Set<string>

  constructor({ messages }: Pick<NeutralCall, 'messages'>) {
    this.#taken = new Set(callIds(messages))
  }

  change(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    return events.some(beginsCall)
      ? events.map((event) => (beginsCall(event) ? this.#withFreshId(event) : event))
      : events
  }

  #withFreshId(event: CallStart): AnswerEvent {
    const id = freeId(event.of.id, this.#taken)
    this.#taken.add(id)
    return id === event.of.id ? event : { ...event, of: { ...event.of, id } }
  }
}

type BlockStart = Extract<AnswerEvent, { type: 'block-start' }>
type CallStart = BlockStart & { readonly of: Extract<BlockStart['of'], { kind: 'tool-call' }> }

const beginsCall = (event: AnswerEvent): event is CallStart =>
  event.type === 'block-start' && event.of.kind === 'tool-call'

/** Reads a stream with fresh ids of its calls. */
export const readerWithFreshIds = (reader: EventReader, ids: FreshCallIds): EventReader => ({
  read: (event) => ids.change(reader.read(event)),
  get toolCalls() {
    return reader.toolCalls
  },
  end: () => ids.change(reader.end()),
})
