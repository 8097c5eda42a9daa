import type { ErrorView } from '../../dialect'
import type { JsonObject } from '../../json'
import type { AnswerEvent } from '../../neutral/events'
import { numberOrNull, objectOf, objectsOf, textOf } from '../../neutral/read'
import type { ToolCalls } from '../../usage'
import { errorIn, errorOfEvent } from '../errors'
import { toolCallsOf, usageIn } from '../usage'
import { BlockEvents } from './block-events'
import { readEnd } from '../ends'
import { ItemReader } from './items'
import { reportedFailure } from '../../shared/reported-failure'

interface Item {
  readonly key: unknown
  readonly reader: ItemReader
  /** Events that came while an item before it was open. */
  readonly waiting: JsonObject[]
  /** Its begin was told. */
  readonly isAnnounced: boolean
  isOver: boolean
}

const ofItems = /^response\.(?:output_|content_part\.|refusal\.|reasoning_|function_call_|custom_tool_call_)/

/** Reads the events of a response's stream, given as objects. Items that are told alternately are given one by one. */
export class ResponseReader {
  readonly #blocks = new BlockEvents()
  readonly #seen = new Set<unknown>()
  /** The open item and those that began after it. */
  #items: Item[] = []
  readonly #ran: JsonObject[] = []
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

  /** Events of later releases are passed over; an object that is not an event may be a failure. */
  #unknown(event: JsonObject, type: string): AnswerEvent[] {
    const error = type === '' ? (errorIn(event) ?? reportedFailure(event, false)) : null
    return error === null ? [] : this.#fail(error)
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
    const key = numberOrNull(event['output_index']) ?? event['item_id'] ?? objectOf(event['item'])['id'] ?? 0
    let item = this.#items.findLast((known) => known.key === key && !known.isOver)
    if (type === 'response.output_item.added' && item) {
      // Its end was left out.
      item.isOver = true
      item = undefined
    }
    if (!item) {
      // What comes behind the end of an item says nothing new.
      const isAnnounced = type === 'response.output_item.added'
      if (!isAnnounced && this.#seen.has(key)) return []
      this.#seen.add(key)
      for (const known of this.#items) known.isOver ||= !known.isAnnounced
      item = { key, reader: new ItemReader(this.#blocks), waiting: [], isAnnounced, isOver: false }
      this.#items.push(item)
    }
    item.waiting.push(event)
    if (type === 'response.output_item.done') {
      item.isOver = true
      this.#ran.push(objectOf(event['item']))
    }
    this.#drain(false)
    return this.#blocks.take()
  }

  #drain(isLast: boolean): void {
    for (;;) {
      const [first] = this.#items
      if (!first) return
      for (const event of first.waiting.splice(0)) first.reader.take(event)
      if (!first.isOver && !isLast) return
      this.#blocks.close()
      this.#items.shift()
    }
  }

  #account({ usage: told, service_tier }: JsonObject): AnswerEvent[] {
    const usage = usageIn({ output: this.#ran, usage: told, service_tier })
    return usage ? [{ type: 'usage', usage }] : []
  }

  /** Followers tell what they said only in the end. */
  #end(response: JsonObject): AnswerEvent[] {
    const started = this.#start(response)
    const untold = this.#seen.size === 0 ? objectsOf(response['output']) : []
    untold.forEach((item, output_index) => {
      const waiting = [{ type: 'response.output_item.done', output_index, item }]
      const reader = new ItemReader(this.#blocks)
      this.#items.push({ key: output_index, reader, waiting, isAnnounced: true, isOver: true })
      this.#ran.push(item)
    })
    this.#drain(true)
    this.#isOver = true
    return [
      ...started,
      ...this.#blocks.take(),
      { type: 'choice-end', choice: 0, ...readEnd(response, this.#blocks), stopSequence: null },
      ...this.#account(response),
      { type: 'answer-end' },
    ]
  }
}
