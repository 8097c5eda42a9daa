import type { CreatedObject } from '../../core/views'
import { endOfString } from '../../core/json-text'
import { isObject, type JsonObject } from '../../core/json'
import type { StreamCut } from '../../core/streaming/observer'
import { TextObserver } from '../../core/streaming/text-observer'
import { objectOf } from '../../core/shared/chunk-data'
import { valueStart } from '../../core/shared/delta'
import { believedUsage, toolCallCounts } from '../../core/shared/reported-usage'
import type { ReportedUsage } from '../../core/usage'
import { reportedFailure } from '../../core/shared/reported-failure'
import { errorIn } from './errors'
import { containerIn, filesIn } from './response'
import { isWebSearch, mergedUsage, readUsage } from './usage'

const encoder = new TextEncoder()
const eventName = /(?:^|[\r\n])event: ?([^\r\n]*)/
/** What a delta calls its text. */
const textNames: readonly string[] = ['"text"', '"thinking"', '"partial_json"']

/**
 * Learns from a stream of a message. Only the events that carry usage or an error are parsed:
 * two of a whole stream, and the starts of blocks. Nothing is added or dropped: this dialect's streams always tell their
 * usage, and the changes are those of OpenAI's chunks.
 */
export class AnthropicObserver extends TextObserver {
  #totals: JsonObject = {}
  /** How many events had said something when the closing usage came; -1 before. */
  #usageAt = -1
  /** The index of the block that is open. */
  #openBlock: unknown = null
  /** Searches that the vendor was seen to make. */
  #webSearches = 0
  readonly #createdObjects: CreatedObject[] = []

  /** The start tells what went in; only the end tells what came out. */
  get usage(): ReportedUsage | null {
    return believedUsage(readUsage(this.#totals), {
      hasOutput: this.contentEvents > 0,
      isCovered: this.#usageAt === this.contentEvents,
      toolCalls: toolCallCounts({ webSearch: this.#webSearches }),
    })
  }

  createdObjects(): readonly CreatedObject[] {
    return this.#createdObjects
  }

  protected readEvent(event: string): void {
    const name = nameOf(event)
    if (name === '') return this.#fail(event)
    if (name === 'message_stop') this.isDone = true
    else this.events += name === 'ping' ? 0 : 1
    if (name === 'content_block_delta') this.#delta(event)
    else if (name === 'content_block_start') this.#start(event)
    else if (name === 'content_block_stop') this.#openBlock = null
    else if (name === 'message_start' || name === 'message_delta') this.#account(event)
    else if (name === 'error') this.#fail(event)
  }

  ending({ usage }: StreamCut): Uint8Array {
    const index = this.#openBlock
    const output_tokens = usage?.completionTokens ?? 0
    const events = [
      ...(index === null ? [] : [{ type: 'content_block_stop', index }]),
      { type: 'message_delta', delta: { stop_reason: 'max_tokens', stop_sequence: null }, usage: { output_tokens } },
      { type: 'message_stop' },
    ]
    return encoder.encode(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
  }

  #delta(event: string): void {
    const delta = event.indexOf('"delta"')
    if (delta < 0) return
    for (const name of textNames) {
      const at = event.indexOf(name, delta)
      const value = at < 0 ? -1 : valueStart(event, at + name.length)
      if (value < 0 || event[value] !== '"') continue
      this.countPiece(event, value + 1, endOfString(event, value))
      return
    }
  }

  #start(event: string): void {
    const { index, content_block: block } = objectOf(event) ?? {}
    if (!isObject(block)) return
    this.#openBlock = index
    if (block['type'] === 'tool_use') this.toolCalls += 1
    if (isWebSearch(block)) this.#webSearches += 1
    this.#createdObjects.push(...filesIn(block))
    const text = block['name'] ?? block['text'] ?? block['thinking']
    if (typeof text === 'string') this.countText(text)
  }

  #account(event: string): void {
    const parsed = objectOf(event)
    if (parsed === null) return
    const message = parsed['message']
    this.#totals = mergedUsage(this.#totals, isObject(message) ? message['usage'] : parsed['usage'])
    const delta = parsed['delta']
    for (const reported of [message, delta]) if (isObject(reported)) this.#createdObjects.push(...containerIn(reported))
    if (isObject(message)) return
    if (isObject(parsed['usage'])) this.#usageAt = this.contentEvents
    if (isObject(delta) && typeof delta['stop_reason'] === 'string') this.isFinished = true
  }

  #fail(event: string): void {
    const parsed = objectOf(event)
    if (parsed !== null) this.error ??= errorIn(parsed) ?? reportedFailure(parsed, false)
  }
}

/** The event's own name, or the type its data gives; empty for a comment. */
function nameOf(event: string): string {
  const named = eventName.exec(event)?.[1]
  if (named !== undefined) return named
  if (!event.includes('data:')) return ''
  const type = objectOf(event)?.['type']
  return typeof type === 'string' ? type : ''
}
