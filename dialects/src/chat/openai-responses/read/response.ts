import type { JsonObject } from '../../../core/json'
import type { EventReader, ServerEvent } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { numberOrNull, objectOf, objectsOf, parsedObject, textOf } from '../../../core/neutral/read'
import type { ErrorView } from '../../../core/views'
import type { ToolCalls } from '../../../core/usage'
import { errorIn, errorOfEvent } from '../errors'
import { toolCallsOf, usageIn } from '../usage'
import { BlockEvents } from './block-events'
import { readEnd } from '../ends'
import { ItemReader } from './items'
import { joinsText } from '../../../core/shared/joined-text'
import { reportedFailure } from '../../../core/shared/reported-failure'

/** A whole response. */
export const readAnswer = (answer: JsonObject): readonly AnswerEvent[] => new ResponseReader().whole(answer)

/** Reads a stream of a response. */
export function createReader(): EventReader {
  const reader = new ResponseReader()
  return {
    read: ({ name, data }: ServerEvent) => {
      const event = parsedObject(data)
      return event === null ? [] : reader.take(typeof event['type'] === 'string' ? event : { ...event, type: name })
    },
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => reader.end(),
  }
}

/** Items of one response that are read: far more than a model makes. Those beyond are left out. */
const maxItems = 4096
/** Events of items that wait for the one before them; pieces of one text are one. */
const maxWaiting = 16_384

interface Item {
  readonly key: unknown
  readonly reader: ItemReader
  /** Events that came while an item before it was open. */
  readonly waiting: JsonObject[]
  isOver: boolean
  hasSpoken: boolean
}

const itemDone = 'response.output_item.done'
/** How far an item is whose end says all, or that the connection lives. */
const passedOver =
  /^(?:keepalive|ping|response\.[a-z_]+_call(?:_code)?\.|response\.mcp_list_tools\.|response\.rate_limits)/
const ofItems = /^response\.(?:output_|content_part\.|refusal\.|reasoning_|function_call_|custom_tool_call_)/

/** Reads the events of a response's stream, given as objects. Items that come alternately are given one by one. */
class ResponseReader {
  readonly #blocks = new BlockEvents()
  /** The keys of the items that were begun and may have said something, and what their ids lead to. */
  readonly #seen = new Set<unknown>()
  readonly #keys = new Map<unknown, unknown>()
  /** Items that were begun. */
  #startedItems = 0
  /** The open item and those that began after it. */
  readonly #items = new Set<Item>()
  /** Those of them that are not over, by key. */
  readonly #open = new Map<unknown, Item>()
  #waiting = 0
  readonly #ran: JsonObject[] = []
  /** The open item whose begin was not told: the next one ends it. */
  #unannounced: Item | null = null
  #hasStarted = false
  #isOver = false

  get toolCalls(): ToolCalls {
    return toolCallsOf(this.#ran)
  }

  take(event: JsonObject): AnswerEvent[] {
    if (this.#isOver) return []
    const type = textOf(event['type'])
    const response = objectOf(event['response'])
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.#start(response)
      case 'response.completed':
        return this.#end({ ...response, status: 'completed' })
      case 'response.incomplete':
        return this.#end({ ...response, status: 'incomplete' })
      case 'response.failed':
      case 'response.cancelled':
        return this.#fail(errorIn({ ...response, status: 'failed' }) ?? errorOfEvent({}))
      case 'error':
        return this.#fail(errorOfEvent(event))
      default:
        return ofItems.test(type) ? [...this.#start({}), ...this.#item(type, event)] : this.#unknown(event, type)
    }
  }

  /** Events of later releases are named and passed over; an object that is not an event may be a failure. */
  #unknown(event: JsonObject, type: string): AnswerEvent[] {
    const error = type === '' ? (errorIn(event) ?? reportedFailure(event, false)) : null
    if (error !== null) return this.#fail(error)
    if (type !== '' && !passedOver.test(type)) this.#blocks.leaveOut({ type })
    return this.#blocks.take()
  }

  /** A whole response; any other body may be an error. */
  whole(response: JsonObject): AnswerEvent[] {
    const error = errorIn(response)
    if (error !== null) return this.#fail(error)
    return [...this.#start(response), ...this.#end(response)]
  }

  end(): AnswerEvent[] {
    if (this.#isOver) return []
    this.#drain(true)
    return this.#blocks.take()
  }

  #start(response: JsonObject): AnswerEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    const createdAt = numberOrNull(response['created_at']) ?? 0
    return [{ type: 'answer-start', id: textOf(response['id']), model: textOf(response['model']), createdAt }]
  }

  #fail(error: ErrorView): AnswerEvent[] {
    this.#isOver = true
    return [{ type: 'failure', error }]
  }

  #item(type: string, event: JsonObject): AnswerEvent[] {
    const id = event['item_id'] ?? objectOf(event['item'])['id']
    const key = numberOrNull(event['output_index']) ?? id ?? 0
    let item = this.#open.get(key)
    if (type === 'response.output_item.added' && item) {
      // Its end was left out.
      this.#finish(item)
      item = undefined
    }
    if (!item) {
      if (this.#startedItems >= maxItems) return []
      // What comes behind the end of an item says nothing new.
      const isAnnounced = type === 'response.output_item.added'
      if (!isAnnounced && this.#seen.has(key)) return []
      this.#startedItems += 1
      this.#seen.add(key)
      if (id !== undefined) this.#keys.set(id, key)
      if (this.#unannounced) this.#finish(this.#unannounced)
      item = { key, reader: new ItemReader(this.#blocks), waiting: [], isOver: false, hasSpoken: false }
      this.#unannounced = isAnnounced ? null : item
      this.#items.add(item)
      this.#open.set(key, item)
    }
    if (!joinsText(item.waiting.at(-1), event, 'delta') && this.#waiting < maxWaiting) {
      item.waiting.push(event)
      this.#waiting += 1
    }
    if (type === itemDone) {
      this.#finish(item)
      this.#ran.push(objectOf(event['item']))
    }
    this.#drain(false)
    return this.#blocks.take()
  }

  #finish(item: Item): void {
    item.isOver = true
    this.#open.delete(item.key)
    if (this.#unannounced === item) this.#unannounced = null
  }

  #drain(isLast: boolean): void {
    for (const first of this.#items) {
      const events = first.waiting.splice(0)
      const { count } = this.#blocks
      this.#waiting -= events.length
      for (const event of events) first.reader.take(event)
      first.hasSpoken ||= this.#blocks.count > count
      if (!first.isOver && !isLast) return
      this.#blocks.close()
      this.#items.delete(first)
      if (!first.hasSpoken) this.#seen.delete(first.key)
    }
  }

  #account({ usage: reported, service_tier }: JsonObject): AnswerEvent[] {
    const usage = usageIn({ output: this.#ran, usage: reported, service_tier })
    return usage ? [{ type: 'usage', usage }] : []
  }

  /** Some say what they said, or a part of it, only in the end. */
  #end(response: JsonObject): AnswerEvent[] {
    const events = this.#start(response)
    const output = objectsOf(response['output'])
    const hasUnseen = output.length > this.#seen.size
    const keys = output.map(({ id }, index) => this.#keys.get(id) ?? index)
    for (const [index, item] of output.entries()) {
      const key = keys[index]
      if (!hasUnseen && !this.#open.has(key)) continue
      const done = { type: itemDone, output_index: key, item }
      for (const event of this.#item(itemDone, done)) events.push(event)
    }
    this.#drain(true)
    this.#isOver = true
    return [
      ...events,
      ...this.#blocks.take(),
      { type: 'choice-end', choice: 0, ...readEnd(response, this.#blocks), stopSequence: null },
      ...this.#account(response),
      { type: 'answer-end' },
    ]
  }
}
