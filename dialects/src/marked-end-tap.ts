import type { ErrorView, StreamTap } from './dialect'
import { hasVisible } from './openai/delta'
import { concat, latin1, SseFrames } from './sse-frames'
import { TextBuffer } from './text-buffer'
import type { Usage } from './usage'

const nothing = new Uint8Array(0)

/**
 * Watches a stream whose end is an event of its own, and forwards it as it came, the end held back until the call is
 * charged. What an event means is the dialect's: `look` gets each until one of them set `isDone`.
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
  /** Something that a reader sees was said or made. */
  protected isVisible = false

  abstract get usage(): Usage | null
  protected abstract look(event: string): void

  get isEmpty(): boolean {
    return this.toolCalls === 0 && !this.isVisible
  }

  completionText(): string {
    return this.#text.text()
  }

  push(chunk: Uint8Array): Uint8Array {
    const read = this.#frames.push(chunk)
    if (read === null) return nothing
    if (this.isDone) {
      this.#held.push(read.bytes)
      return nothing
    }
    let start = read.start
    for (const end of read.ends) {
      this.look(read.text.slice(start, end))
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

  finish(): Uint8Array {
    return concat([...this.#held, this.#frames.rest()])
  }

  /** Part of an event is the inside of a JSON string that belongs to the answer. */
  protected say(event: string, start: number, end: number): void {
    if (end <= start) return
    this.contentEvents += 1
    this.#text.append(event, start, end)
    this.isVisible ||= hasVisible(event, start, end)
  }

  /** As `say`, for a text that was read from an event. */
  protected sayText(text: string): void {
    const escaped = Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8').toString('latin1')
    this.say(escaped, 0, escaped.length)
  }
}
