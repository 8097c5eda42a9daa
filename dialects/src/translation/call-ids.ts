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
  /** How many of them have results. The last one takes all that come. */
  answered: number
}

/** Returns the call with an id of its own for each call of a tool, by which its result goes; the same object where they have one. */
export function withUniqueCallIds(call: NeutralCall): NeutralCall {
  if (!hasRepeatedIds(call)) return call
  const ids = new UniqueIds()
  const waiting = new Map<string, Waiting>()
  const change = (part: Part, message: Message): Part => {
    if (part.kind !== 'tool-call' && part.kind !== 'tool-result') return part
    return part.kind === 'tool-call' ? changeCall(part, message) : changeResult(part)
  }
  const changeCall = (part: Extract<IdPart, { kind: 'tool-call' }>, message: Message): Part => {
    const id = ids.take(part.id)
    const before = waiting.get(part.id)
    const named = { id, name: part.name }
    // The results of one answer come before the calls of the next.
    if (before?.message === message) before.calls.push(named)
    else waiting.set(part.id, { message, calls: [named], answered: 0 })
    return id === part.id ? part : { ...part, id }
  }
  const changeResult = (part: Extract<IdPart, { kind: 'tool-result' }>): Part => {
    const open = waiting.get(part.callId)
    const call = open?.calls[open.answered]
    if (open === undefined || call === undefined) return part
    if (open.answered < open.calls.length - 1) open.answered += 1
    return { ...part, callId: call.id, name: call.name }
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

/** Ids of which each is given once. */
class UniqueIds {
  readonly #taken: Set<string>
  /** By repeated id: the first number that may be free. All may have one id, so the search goes on where it ended. */
  readonly #numbers = new Map<string, number>()

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken)
  }

  /** Returns this id, or where it is taken the first free one with a number. It is taken from then on. */
  take(id: string): string {
    let free = id
    if (this.#taken.has(id)) {
      let number = this.#numbers.get(id) ?? 2
      while (this.#taken.has(`${id}_${number}`)) number += 1
      free = `${id}_${number}`
      this.#numbers.set(id, number + 1)
    }
    this.#taken.add(free)
    return free
  }
}

/** Gives each call of an answer an id that no call of the conversation has. */
export class FreshCallIds {
  readonly #ids: UniqueIds

  constructor({ messages }: Pick<NeutralCall, 'messages'>) {
    this.#ids = new UniqueIds(callIds(messages))
  }

  change(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    return events.some(beginsCall)
      ? events.map((event) => (beginsCall(event) ? this.#withFreshId(event) : event))
      : events
  }

  #withFreshId(event: CallStart): AnswerEvent {
    const id = this.#ids.take(event.of.id)
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
