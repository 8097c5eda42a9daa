import type { NeutralCall, Part } from '../core/neutral/call'
import type { EventReader } from '../core/neutral/codec'
import type { AnswerEvent } from '../core/neutral/events'
import { parseNested } from '../core/json-text'
import { nestedObject } from '../core/neutral/read'

/*
 * Some models and hosts encode the arguments of a call twice: the JSON text of a text that holds the object. The arguments of a
 * function are always an object, so what the text holds is meant.
 */

/** Returns the object's text; any other text as it is. */
function onceEncoded(text: string): string {
  if (!beginsAsText(text)) return text
  try {
    const held = parseNested(text)
    return typeof held === 'string' && nestedObject(held) !== null ? held : text
  } catch {
    return text
  }
}

const beginsAsText = (text: string): boolean => /^\s*"/.test(text)

const isTwice = (part: Part): boolean =>
  part.kind === 'tool-call' && part.isCustom !== true && beginsAsText(part.argumentsText)

/** Returns the call with the arguments of earlier calls encoded once; the same object where they are. */
export function withOnceEncoded(call: NeutralCall): NeutralCall {
  if (!call.messages.some(({ parts }) => parts.some(isTwice))) return call
  const encodeOnce = (part: Part): Part =>
    part.kind === 'tool-call' && isTwice(part) ? { ...part, argumentsText: onceEncoded(part.argumentsText) } : part
  return { ...call, messages: call.messages.map((message) => ({ ...message, parts: message.parts.map(encodeOnce) })) }
}

/** The arguments of a call so far: nothing but white space, or the beginning of a text. */
interface PendingArguments {
  readonly pieces: string[]
  isText: boolean
}

/** Keeps arguments that begin as a text until they are whole. Of each choice one block is open. */
class OnceEncodedArguments {
  /** By choice. */
  readonly #open = new Map<number, PendingArguments>()

  take(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    return this.#open.size === 0 && !events.some(beginsCall) ? events : events.flatMap((event) => this.#event(event))
  }

  #event(event: AnswerEvent): readonly AnswerEvent[] {
    if (beginsCall(event)) this.#open.set(event.choice, { pieces: [], isText: false })
    else if (event.type === 'block-delta' && event.delta.kind === 'text') return this.#more(event, event.delta.text)
    else if (event.type === 'block-end') return this.#end(event)
    return [event]
  }

  #more(event: Extract<AnswerEvent, { type: 'block-delta' }>, text: string): readonly AnswerEvent[] {
    const pending = this.#open.get(event.choice)
    if (pending === undefined) return [event]
    pending.pieces.push(text)
    pending.isText ||= beginsAsText(text)
    if (pending.isText || text.trim() === '') return []
    this.#open.delete(event.choice)
    return [{ ...event, delta: { kind: 'text', text: pending.pieces.join('') } }]
  }

  #end(event: Extract<AnswerEvent, { type: 'block-end' }>): readonly AnswerEvent[] {
    const text = this.#open.get(event.choice)?.pieces.join('') ?? ''
    this.#open.delete(event.choice)
    if (text === '') return [event]
    return [{ ...event, type: 'block-delta', delta: { kind: 'text', text: onceEncoded(text) } }, event]
  }
}

const beginsCall = (event: AnswerEvent): event is Extract<AnswerEvent, { type: 'block-start' }> =>
  event.type === 'block-start' && event.of.kind === 'tool-call' && event.of.isCustom !== true

/** Returns the events of a whole answer with arguments that are encoded once. */
export const onceEncodedEvents = (events: readonly AnswerEvent[]): readonly AnswerEvent[] =>
  new OnceEncodedArguments().take(events)

/** Reads a stream with arguments that are encoded once. */
export function onceEncodedReader(reader: EventReader): EventReader {
  const once = new OnceEncodedArguments()
  return {
    read: (event) => once.take(reader.read(event)),
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => once.take(reader.end()),
  }
}
