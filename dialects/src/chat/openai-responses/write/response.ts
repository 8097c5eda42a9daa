import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent, BlockDelta, BlockKind, BlockStart, FinishReason } from '../../../core/neutral/events'
import type { Usage } from '../../../core/usage'
import { errorEvent } from '../errors'
import { usageBody } from '../usage'
import { writeEnd } from '../ends'
import { dialectId } from '../name'
import { writeSearch } from '../searches'
import { functionsByName, type FunctionsByName, openCall } from './call-item'
import type { IdOf, ItemWriter } from './item'
import { MessageWriter } from './message-item'
import { ThoughtWriter } from './reasoning-item'
import { inProgressResponse } from './response-body'
import { ImageWriter, OwnWriter } from './whole-item'

/** A stream of a response. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new ResponseWriter(answering)
  return { write: (events) => writer.take(events), wholeAnswer: () => writer.wholeAnswer }
}

/** A whole response: what the end of its stream repeats. */
export function writeAnswer(events: readonly AnswerEvent[], answering: Answering): JsonObject {
  const writer = new ResponseWriter(answering)
  writer.take([...events, { type: 'answer-end' }])
  return writer.response
}

/**
 * Makes the events of a response's stream, as objects, from those of an answer: one item open at a time. Their numbers are the serializer's.
 * https://platform.openai.com/docs/api-reference/responses-streaming
 * What the dialect has no word for is left out, and so are all choices but the first.
 */
class ResponseWriter {
  readonly #answering: Answering
  readonly #ids = new Set<string>()
  readonly #tools: FunctionsByName
  readonly #output: JsonObject[] = []
  #response: JsonObject = {}
  #state: 'waiting' | 'started' | 'over' = 'waiting'
  #item: ItemWriter | null = null
  /** Begun, but not placed: whether it is a picture or a sound, its first words tell. */
  #opening: BlockKind | null = null
  #usage: Usage | null = null
  #reason: FinishReason | null = null
  #hasRefused = false

  constructor(answering: Answering) {
    this.#answering = answering
    this.#tools = functionsByName(answering.call.tools)
  }

  /** As the latest of the events that repeat it all. */
  get response(): JsonObject {
    return this.#response
  }

  /** Null until its end, and where it failed. */
  get wholeAnswer(): JsonObject | null {
    return this.#state === 'over' && this.#response['status'] !== 'failed' ? this.#response : null
  }

  take(events: readonly AnswerEvent[]): JsonObject[] {
    return events.flatMap((event) => this.#event(event))
  }

  #event(event: AnswerEvent): readonly JsonObject[] {
    if (this.#state === 'over') return []
    if (event.type === 'failure') return this.#fail(event.error)
    if (this.#state !== 'waiting') return this.#writeEvent(event)
    return [...this.#begin(idIn(event)), ...this.#writeEvent(event)]
  }

  #writeEvent(event: AnswerEvent): readonly JsonObject[] {
    if ('choice' in event && event.choice !== 0) return []
    switch (event.type) {
      case 'block-start':
        return this.#startBlock(event)
      case 'block-delta':
        return this.#delta(event)
      case 'log-probabilities':
        if (this.#item instanceof MessageWriter) this.#item.tokens(event.tokens)
        return []
      case 'block-end':
        return this.#endBlock()
      case 'choice-end':
        this.#reason = event.reason
        return this.#endItem(writeEnd(event.reason, true)['status'] === 'incomplete')
      case 'usage':
        this.#usage = event.usage
        return []
      case 'answer-end':
        return this.#end()
      default:
        return []
    }
  }

  #begin(id: string): JsonObject[] {
    this.#state = 'started'
    this.#response = inProgressResponse(this.#answering, this.#idOf('resp_', id))
    const response = this.#response
    return [
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
    ]
  }

  #startBlock(start: BlockStart): readonly JsonObject[] {
    const before = this.#endBlock()
    this.#opening = start.of
    return start.of.kind === 'media' ? before : [...before, ...this.#open()]
  }

  /** The words of a sound are text. */
  #open(mime = ''): readonly JsonObject[] {
    const opening = this.#opening
    this.#opening = null
    if (opening === null) return []
    const of: BlockKind = opening.kind === 'media' && !mime.startsWith('image/') ? { kind: 'text' } : opening
    if (this.#item?.start(of)) return []
    const ended = this.#endItem()
    this.#item = openItem(of, this.#tools, this.#idOf)
    this.#item?.start(of)
    return ended
  }

  #delta({ delta }: BlockDelta): readonly JsonObject[] {
    const opened = this.#open(delta.kind === 'media' ? delta.mime : '')
    const deltaEvents = this.#setItemPosition(this.#item?.take(delta) ?? [])
    return opened.length === 0 ? deltaEvents : [...opened, ...deltaEvents]
  }

  /** A message waits for what may follow: it is ended by what does not belong to it. */
  #endBlock(): readonly JsonObject[] {
    this.#opening = null
    return this.#item instanceof MessageWriter ? this.#setItemPosition(this.#item.endBlock()) : this.#endItem()
  }

  #endItem(isCut = false): readonly JsonObject[] {
    const item = this.#item
    if (item === null) return []
    const written = this.#setItemPosition(item.end(isCut))
    if (item instanceof MessageWriter && item.hasRefused) this.#hasRefused = true
    if (item.item !== null) this.#output.push(item.item)
    this.#item = null
    return written
  }

  /** The place of an item is that in the output, where it will come next. */
  #setItemPosition(events: readonly JsonObject[]): readonly JsonObject[] {
    for (const event of events) {
      event['output_index'] = this.#output.length
      if (!('item' in event)) event['item_id'] = this.#item?.id
    }
    return events
  }

  #end(): JsonObject[] {
    const ended = this.#endItem(this.#reason === null)
    this.#state = 'over'
    const end = writeEnd(this.#reason, this.#hasRefused)
    const { now } = this.#answering
    const isWhole = end['status'] === 'completed'
    this.#response = {
      ...this.#response,
      ...end,
      ...(isWhole && { completed_at: now }),
      output: [...this.#output],
      usage: this.#usage && usageBody(this.#usage),
    }
    return [...ended, { type: isWhole ? 'response.completed' : 'response.incomplete', response: this.#response }]
  }

  /** The error as all clients know it, and behind it the response that came to nothing. */
  #fail(error: Extract<AnswerEvent, { type: 'failure' }>['error']): JsonObject[] {
    const hasStarted = this.#state === 'started'
    if (!hasStarted) this.#response = inProgressResponse(this.#answering, this.#idOf('resp_'))
    this.#state = 'over'
    const { code, type, message } = error
    this.#response = {
      ...this.#response,
      status: 'failed',
      error: { code: code || type || 'server_error', message },
      output: [...this.#output],
    }
    const { sequence_number: _, ...reported } = errorEvent(error, 0)
    return hasStarted ? [reported, { type: 'response.failed', response: this.#response }] : [reported]
  }

  readonly #idOf = (prefix: string, known = '', beginning = prefix): string => {
    const isFit = known !== '' && known.startsWith(beginning) && !this.#ids.has(prefix + known)
    const id = isFit ? known : this.#answering.newId(prefix)
    this.#ids.add(prefix + id)
    return id
  }
}

/** The writer of the item that a block begins; null when the dialect has no word for it. */
function openItem(of: BlockKind, tools: FunctionsByName, idOf: IdOf): ItemWriter | null {
  switch (of.kind) {
    case 'text':
    case 'refusal':
      return new MessageWriter(idOf('msg_'))
    case 'media':
      return new ImageWriter(idOf('ig_'))
    case 'thinking':
      return new ThoughtWriter(idOf('rs_', of.id), false)
    case 'redacted-thinking':
      return new ThoughtWriter(idOf('rs_'), true)
    case 'tool-call':
      return openCall(of, tools, idOf)
    case 'search':
      return new OwnWriter(writeSearch(of, idOf), idOf)
    default:
      return of.dialect === dialectId ? new OwnWriter(of.value, idOf) : null
  }
}

function idIn(event: AnswerEvent): string {
  if (event.type !== 'answer-start') return ''
  return event.isConversation ? `resp_${event.id}` : event.id
}
