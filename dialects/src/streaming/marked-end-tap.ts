import type { ErrorView, StreamTap } from '../dialect'
import { hasVisible } from '../shared/delta'
import { concat, latin1, SseFrames, type SseRead } from './sse-frames'
import { TextBuffer } from './fast-path/text-buffer'
import { isSeen, TextEvent } from './fast-path/text-event'
import type { Usage } from '../usage'

const nothing = new Uint8Array(0)
const encoder = new TextEncoder()

/**
 * Watches a stream whose end is an event of its own, and forwards it as it came, the end held back until the call is
 * charged. What an event means is the dialect's: `look` gets each until one of them set `isDone`, but for those that differ
 * from the one before, which said a piece of text and nothing else, in that text alone.
 */
export abstract class MarkedEndTap implements StreamTap {
  events = 0
  contentEvents = 0
  toolCalls = 0
  isDone = false
  isFinished = false
  error: ErrorView | null = null

  readonly #frames = new SseFrames()
  readonly #text = new TextBuffer()
  #held: Uint8Array[] = []
  /** Where in its event the latest piece stands, if it does as it is. */
  #said: { readonly start: number; readonly end: number } | null = null
  #textEvent: TextEvent | null = null
  /** Something that a reader sees was said or made. */
  protected isVisible = false

  #isCut = false

  abstract get usage(): Usage | null
  protected abstract look(event: string): void
  /** The events that end the answer at the limit of its output, after what was forwarded. */
  protected abstract ending(usage: Usage | null): string

  get isEmpty(): boolean {
    return this.toolCalls === 0 && !this.isVisible
  }

  get textBytes(): number {
    return this.#text.seen
  }

  completionText(): string {
    return this.#text.text()
  }

  /** What was generated from this byte on. */
  protected textFrom(bytes: number): string {
    return this.#text.text(bytes)
  }

  cut(): void {
    this.#isCut = true
  }

  push(chunk: Uint8Array): Uint8Array {
    // Most of what is read is one event.
    if (this.#frames.isBetween && this.#isMoreText(chunk, 0, chunk.length)) return chunk
    const read = this.#frames.push(chunk)
    if (read === null) return nothing
    if (this.isDone) {
      this.#held.push(read.bytes)
      return nothing
    }
    let start = read.start
    for (const end of read.ends) {
      if (!this.#isMoreText(read.bytes, start, end)) this.#learn(read, start, end)
      if (this.isDone) {
        this.#held.push(read.bytes.subarray(start))
        return read.bytes.subarray(0, start)
      }
      start = end
    }
    return read.bytes
  }

  end(): void {
    const rest = this.#frames.rest()
    if (rest.length === 0) return
    if (!this.isDone) this.look(latin1(rest))
    this.#held.push(rest)
  }

  finish(usage: Usage | null = null): Uint8Array {
    if (this.#isCut) return encoder.encode(this.ending(usage))
    return concat([...this.#held, this.#frames.rest()])
  }

  /** Part of an event is the inside of a JSON string that belongs to the answer. */
  protected say(event: string, start: number, end: number): void {
    if (end <= start) return
    this.contentEvents += 1
    this.#said = { start, end }
    this.#text.append(event, start, end)
    this.isVisible ||= hasVisible(event, start, end)
  }

  /** As `say`, for a text that was read from an event. */
  protected sayText(text: string): void {
    const escaped = Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8').toString('latin1')
    this.say(escaped, 0, escaped.length)
    this.#said = null
  }

  #learn({ bytes, text }: SseRead, start: number, end: number): void {
    const { contentEvents, toolCalls, isFinished } = this
    this.look(text.slice(start, end))
    const said = this.contentEvents === contentEvents + 1 ? this.#said : null
    const isAll = this.toolCalls === toolCalls && this.isFinished === isFinished && !this.isDone && this.error === null
    this.#textEvent = said && isAll ? new TextEvent(bytes.subarray(start, end), said.start, said.end) : null
  }

  /** Takes an event that is as the one before it, but for its text. */
  #isMoreText(bytes: Uint8Array, start: number, end: number): boolean {
    const form = this.#textEvent
    if (form === null || !form.isLike(bytes, start, end)) return false
    this.events += 1
    this.contentEvents += 1
    this.#text.appendBytes(bytes, form.start, form.end)
    this.isVisible ||= isSeen(bytes, form.start, form.end)
    return true
  }
}
