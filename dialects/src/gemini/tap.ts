import { endOfString } from '../depth'
import type { ErrorView, StreamTap } from '../dialect'
import { objectOf } from '../openai/chunk-data'
import { hasVisible, valueStart } from '../openai/delta'
import { concat, latin1, SseFrames } from '../sse-frames'
import { TextBuffer } from '../text-buffer'
import type { Usage } from '../usage'
import { saidIn } from './answer'
import { errorIn } from './errors'
import { covers, readUsage, webSearches } from './usage'

const nothing = new Uint8Array(0)
/** Members whose texts are not the answer's, or that a walk over texts would miss. */
const special = /"(?:groundingMetadata|functionCall|executableCode|inlineData|error)"/
const finish = /"(?:finishReason|blockReason)"\s*:\s*"(?!FINISH_REASON_UNSPECIFIED|BLOCKED_REASON_UNSPECIFIED)\w/

/**
 * Watches a stream of responses and forwards it as it came. Nearly every event carries the usage so far, so only the last
 * such is parsed, and only when it is asked for; beside it those that carry calls, sources, pictures or an error.
 * The stream has no end mark, so an event that says why the answer ended is kept until another follows or the call is charged.
 */
export class GeminiTap implements StreamTap {
  events = 0
  contentEvents = 0
  toolCalls = 0
  readonly isDone = false
  isFinished = false
  error: ErrorView | null = null

  readonly #frames = new SseFrames()
  readonly #text = new TextBuffer()
  #isVisible = false
  #searches = 0
  /** The last event with a usage, and how many events had said something when it came. */
  #usageEvent = ''
  #usageAt = 0
  #held: Uint8Array = nothing

  get usage(): Usage | null {
    if (this.#usageEvent === '' || this.#usageAt !== this.contentEvents) return null
    const response = objectOf(this.#usageEvent)
    const usage = response && readUsage(response, this.#searches)
    return usage && covers(usage, this.contentEvents > 0) ? usage : null
  }

  get isEmpty(): boolean {
    return this.toolCalls === 0 && !this.#isVisible
  }

  completionText(): string {
    return this.#text.text()
  }

  push(chunk: Uint8Array): Uint8Array {
    const read = this.#frames.push(chunk)
    if (read === null) return nothing
    let isLast = false
    let last = 0
    let start = read.start
    for (const end of read.ends) {
      isLast = this.#look(read.text.slice(start, end))
      last = start
      start = end
    }
    const before = this.#held
    this.#held = isLast ? read.bytes.subarray(last) : nothing
    const now = isLast ? read.bytes.subarray(0, last) : read.bytes
    return before.length === 0 ? now : concat([before, now])
  }

  end(): void {
    const rest = this.#frames.rest()
    if (rest.length === 0) return
    this.#look(latin1(rest))
    this.#held = concat([this.#held, rest])
  }

  finish(): Uint8Array {
    return concat([this.#held, this.#frames.rest()])
  }

  /** Answers whether the event says why an answer ended. */
  #look(event: string): boolean {
    if (!event.includes('data:')) return false
    this.events += 1
    if (special.test(event)) this.#parse(event)
    else this.#collect(event)
    const isLast = finish.test(event)
    this.isFinished ||= isLast
    if (event.includes('"usageMetadata"')) {
      this.#usageEvent = event
      this.#usageAt = this.contentEvents
    }
    return isLast
  }

  #parse(event: string): void {
    const response = objectOf(event)
    if (response === null) return
    this.error ??= errorIn(response)
    const { texts, toolCalls, hasMedia } = saidIn(response)
    this.toolCalls += toolCalls
    this.#isVisible ||= hasMedia
    if (texts.length > 0 || hasMedia) this.contentEvents += 1
    for (const text of texts) this.#keep(text)
    // What a later event tells of the searches is all of them.
    this.#searches = Math.max(this.#searches, webSearches(response))
  }

  #keep(text: string): void {
    const escaped = Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8').toString('latin1')
    this.#text.append(escaped, 0, escaped.length)
    this.#isVisible ||= text.trim() !== ''
  }

  /** An open quote before `text` can only begin a name: inside a string it is escaped. */
  #collect(event: string): void {
    let hasText = false
    for (let at = event.indexOf('"text"'); at >= 0; at = event.indexOf('"text"', at + 6)) {
      const start = valueStart(event, at + 6)
      if (start < 0 || event[start] !== '"') continue
      const end = endOfString(event, start)
      if (end > start + 1) {
        hasText = true
        this.#text.append(event, start + 1, end)
        this.#isVisible ||= hasVisible(event, start + 1, end)
      }
      at = end
    }
    if (hasText) this.contentEvents += 1
  }
}
