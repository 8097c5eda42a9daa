import type { ErrorView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import type { UpstreamCodec } from '../../core/neutral/codec'
import type { AnswerEvent } from '../../core/neutral/events'
import { LeftOutEvents } from '../../core/neutral/left-out'
import { objectsOf, parsedObject } from '../../core/neutral/read'
import { ChunkReader } from './read/response'

/** An event or a whole response of a vendor in OpenAI's words, or a failure. */
export type MappedEvent = MappedChunk | { readonly error: ErrorView }

interface MappedChunk {
  readonly chunk?: JsonObject
  /** Its id is that of a conversation. */
  readonly isConversation?: boolean
  /** The names of what it has no word for. */
  readonly leftOut?: readonly string[]
}

/** Null: the event says nothing. */
export type MapEvent = (event: JsonObject) => MappedEvent | null

type Reading = Pick<UpstreamCodec, 'readAnswer' | 'createReader'>

/** Reads the responses of a vendor whose events are OpenAI's chunks in another form. Each response gets a `MapEvent` of its own. */
export const readAsChunks = (createMapper: () => MapEvent): Reading =>
  reading(createMapper, {
    eventsOf: (answer) => [answer],
    eventOf: (event) => event,
  })

/**
 * As `readAsChunks`, of a vendor whose events have names, in their data or beside it. A whole response is the events of its stream in a
 * list, or what `single` makes of it.
 */
export const readAsNamedEvents = (createMapper: () => MapEvent, single: (answer: JsonObject) => JsonObject): Reading =>
  reading(createMapper, {
    eventsOf: (answer) => (Array.isArray(answer['events']) ? objectsOf(answer['events']) : [single(answer)]),
    eventOf: (event, name) => (name === '' ? event : { ...event, event: name }),
  })

interface EventForm {
  readonly eventsOf: (answer: JsonObject) => readonly JsonObject[]
  readonly eventOf: (data: JsonObject, name: string) => JsonObject
}

const reading = (createMapper: () => MapEvent, { eventsOf, eventOf }: EventForm): Reading => ({
  readAnswer(answer) {
    const reader = new MappedEventReader(createMapper())
    return [...eventsOf(answer).flatMap((event) => reader.take(event)), ...reader.endWhole()]
  },
  createReader() {
    const reader = new MappedEventReader(createMapper())
    return {
      read({ name, data }) {
        const event = parsedObject(data)
        return event === null ? [] : reader.take(eventOf(event, name))
      },
      end: () => reader.end(),
    }
  },
})

const inConversation = (event: AnswerEvent): AnswerEvent =>
  event.type === 'answer-start' ? { ...event, isConversation: true } : event

/** Reads mapped events, to a failure or the end. */
class MappedEventReader {
  readonly #chunks = new ChunkReader()
  readonly #leftOut = new LeftOutEvents()
  #hasFailed = false

  constructor(private readonly map: MapEvent) {}

  take(event: JsonObject): AnswerEvent[] {
    const mapped = this.#hasFailed ? null : this.map(event)
    if (mapped === null) return []
    if ('error' in mapped) {
      this.#hasFailed = true
      return [{ type: 'failure', error: mapped.error }]
    }
    const { chunk, isConversation, leftOut = [] } = mapped
    const events = chunk ? this.#chunks.take(chunk) : []
    const named = leftOut.flatMap((name) => this.#leftOut.name(name))
    return [...(isConversation ? events.map(inConversation) : events), ...named]
  }

  endWhole(): AnswerEvent[] {
    return this.#hasFailed ? [] : this.#chunks.endWhole()
  }

  end(): AnswerEvent[] {
    return this.#hasFailed ? [] : this.#chunks.end()
  }
}
