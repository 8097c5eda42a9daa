import { endOfString } from '../json-text'
import type { ErrorView, StreamTap } from '../dialect'
import { objectOf } from '../shared/chunk-data'
import { hasVisible, valueStart } from '../shared/delta'
import { believedUsage, toolCallCounts } from '../shared/reported-usage'
import { concat, latin1, SseFrames, type SseRead } from '../streaming/sse-frames'
import { TextBuffer } from '../streaming/fast-path/text-buffer'
import { EventPlace, isSeen, TextEvent } from '../streaming/fast-path/text-event'
import type { ReportedUsage, Usage } from '../usage'
import { saidIn } from './response'
import { toldFailure } from '../shared/told-failure'
import { errorIn } from './errors'
import { readUsage, usageBody, webSearches } from './usage'

const nothing = new Uint8Array(0)
const encoder = new TextEncoder()
/** Members whose texts are not the answer's, or that a walk over texts would miss. */
const special = /"(?:groundingMetadata|functionCall|executableCode|inlineData|error)"/
const finish = /"(?:finishReason|blockReason)"\s*:\s*"(?!FINISH_REASON_UNSPECIFIED|BLOCKED_REASON_UNSPECIFIED)\w/

interface Place {
  readonly start: number
  readonly end: number
}

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
  readonly #usageEvent = new EventPlace()
  #usageAt = 0
  /** The form of the event before, when it said a piece of text and nothing else but the usage so far. */
  #textEvent: TextEvent | null = null
  #held: Uint8Array = nothing
  /** How many candidates the answer ends with where it was cut. */
  #cutCandidates: number | null = null

  /** A usage that came before more was said does not cover the completion; those at the beginning leave it out. */
  get usage(): ReportedUsage | null {
    const event = this.#usageEvent.event()
    const response = event && objectOf(latin1(event))
    return believedUsage(response && readUsage(response, this.#searches), {
      hasOutput: this.contentEvents > 0,
      isCovered: this.#usageAt === this.contentEvents,
      toolCalls: toolCallCounts({ webSearch: this.#searches }),
    })
  }

  get isEmpty(): boolean {
    return this.toolCalls === 0 && !this.#isVisible
  }

  get textBytes(): number {
    return this.#text.seen
  }

  completionText(): string {
    return this.#text.text()
  }

  push(chunk: Uint8Array): Uint8Array {
    // Most of what is read is one event. Before it is none that may be the last: that has no such form.
    if (this.#frames.isBetween && this.#isMoreText(chunk, 0, chunk.length)) return chunk
    const read = this.#frames.push(chunk)
    if (read === null) return nothing
    let isLast = false
    let last = 0
    let start = read.start
    for (const end of read.ends) {
      isLast = !this.#isMoreText(read.bytes, start, end) && this.#look(read, start, end)
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
    this.#look({ bytes: rest, text: latin1(rest) }, 0, rest.length)
    this.#held = concat([this.#held, rest])
  }

  cut(candidates: number): void {
    this.#cutCandidates = candidates
  }

  finish(usage: Usage | null = null): Uint8Array {
    if (this.#cutCandidates !== null) return this.#ending(this.#cutCandidates, usage)
    return concat([this.#held, this.#frames.rest()])
  }

  #ending(candidates: number, usage: Usage | null): Uint8Array {
    const event = this.#usageEvent.event()
    const { modelVersion, responseId } = (event && objectOf(latin1(event))) ?? {}
    const content = { parts: [{ text: '' }], role: 'model' }
    const response = {
      candidates: Array.from({ length: candidates }, (_, index) => ({ content, finishReason: 'MAX_TOKENS', index })),
      ...(usage && { usageMetadata: usageBody(usage) }),
      modelVersion,
      responseId,
    }
    return encoder.encode(`data: ${JSON.stringify(response)}\r\n\r\n`)
  }

  /** Answers whether the event says why an answer ended. */
  #look({ bytes, text }: Pick<SseRead, 'bytes' | 'text'>, start: number, end: number): boolean {
    this.#textEvent = null
    const event = text.slice(start, end)
    if (!event.includes('data:')) return false
    this.events += 1
    const isLast = finish.test(event)
    this.isFinished ||= isLast
    if (special.test(event) || !event.includes('"candidates"')) this.#parse(event)
    else {
      const only = this.#collect(event)
      if (only && !isLast) this.#textEvent = new TextEvent(bytes.subarray(start, end), only.start, only.end)
    }
    if (event.includes('"usageMetadata"')) this.#countIn(bytes, start, end)
    return isLast
  }

  #countIn(bytes: Uint8Array, start: number, end: number): void {
    this.#usageEvent.set(bytes, start, end)
    this.#usageAt = this.contentEvents
  }

  /** Takes an event that is as the one before it, but for its text and the usage so far. */
  #isMoreText(bytes: Uint8Array, start: number, end: number): boolean {
    const form = this.#textEvent
    if (form === null || !form.isLike(bytes, start, end)) return false
    const hasUsage = this.#usageAt === this.contentEvents
    this.events += 1
    this.contentEvents += 1
    this.#text.appendBytes(bytes, form.start, form.end)
    this.#isVisible ||= isSeen(bytes, form.start, form.end)
    if (hasUsage) this.#countIn(bytes, start, end)
    return true
  }

  #parse(event: string): void {
    const response = objectOf(event)
    if (response === null) return
    this.error ??= errorIn(response) ?? toldFailure(response, 'candidates' in response)
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

  /** The place of the text where there is one alone. An open quote before `text` can only begin a name: inside a string it is escaped. */
  #collect(event: string): Place | null {
    const said: Place[] = []
    for (let at = event.indexOf('"text"'); at >= 0; at = event.indexOf('"text"', at + 6)) {
      const start = valueStart(event, at + 6)
      if (start < 0 || event[start] !== '"') continue
      const end = endOfString(event, start)
      if (end > start + 1) {
        said.push({ start: start + 1, end })
        this.#text.append(event, start + 1, end)
        this.#isVisible ||= hasVisible(event, start + 1, end)
      }
      at = end
    }
    if (said.length > 0) this.contentEvents += 1
    return said.length === 1 ? (said[0] ?? null) : null
  }
}
