import type { StreamTap, UsageCounter } from '../dialect'
import type { JsonObject } from '../json'
import type { ErrorView, CreatedObject } from '../views'
import type { ReportedUsage, Usage } from '../usage'
import { RepeatedText } from './fast-path/repeated-text'
import type { StreamObserver } from './observer'
import { concat, latin1, SseFrames } from './sse-frames'

const noBytes = new Uint8Array(0)

/**
 * Forwards a stream as it came while an observer learns from its events. What ends the answer is held back until the call is
 * charged.
 */
export class PassingTap implements StreamTap {
  readonly #frames: SseFrames
  readonly #observer: StreamObserver
  readonly #events: RepeatedText
  /** May be the last event: it is forwarded when another follows. */
  #pending: Uint8Array = noBytes
  /** From the end mark on. */
  #held: Uint8Array[] = []
  #cutChoices: number | null = null

  /** Events that grow beyond `maxBytes` are forwarded unobserved. */
  constructor(observer: StreamObserver, maxBytes?: number) {
    this.#frames = new SseFrames(maxBytes)
    this.#observer = observer
    this.#events = new RepeatedText(observer)
  }

  get events(): number {
    return this.#events.events
  }
  get contentEvents(): number {
    return this.#events.contentEvents
  }
  get textBytes(): number {
    return this.#events.textBytes
  }
  get isDone(): boolean {
    return this.#observer.isDone
  }
  get isFinished(): boolean {
    return this.#observer.isFinished
  }
  get toolCalls(): number {
    return this.#observer.toolCalls
  }
  get error(): ErrorView | null {
    return this.#observer.error
  }
  get usage(): ReportedUsage | null {
    return this.#events.usage
  }
  get counter(): UsageCounter | null {
    return this.#events.form
  }
  get isEmpty(): boolean {
    return this.#events.upToDate().isEmpty
  }

  completionText(): string {
    return this.#events.upToDate().completionText()
  }

  images(): number {
    return this.#events.upToDate().images?.() ?? 0
  }

  createdObjects(): readonly CreatedObject[] {
    return this.#observer.createdObjects?.() ?? []
  }

  wholeAnswer(): JsonObject | null {
    return this.#observer.wholeAnswer?.() ?? null
  }

  push(chunk: Uint8Array): Uint8Array {
    // Most of what is read is one event.
    if (this.#frames.isBetween && this.#events.repeats(chunk, 0, chunk.length)) return chunk
    const read = this.#frames.push(chunk)
    if (read === null) return noBytes
    const { bytes, text } = read
    const forwarded: Uint8Array[] = []
    let from = 0
    let start = read.start
    for (const end of read.ends) {
      if (this.isDone) break
      const verdict = this.#events.observe(bytes, text, start, end)
      const isForwarded = verdict === 'pass' || verdict === 'end'
      const instead = isForwarded ? this.#observer.rewrite?.(text.slice(start, end)) : null
      if (this.#pending.length > 0) {
        forwarded.push(this.#pending)
        this.#pending = noBytes
      }
      if (verdict !== 'pass' || instead) {
        if (start > from) forwarded.push(bytes.subarray(from, start))
        if (instead) for (const changed of instead) (verdict === 'end' ? this.#held : forwarded).push(changed)
        if (verdict === 'hold') this.#pending = bytes.subarray(start, end)
        from = verdict === 'end' && !instead ? start : end
      }
      start = end
    }
    const rest = from === 0 ? bytes : bytes.subarray(from)
    if (this.isDone) this.#held.push(rest)
    else if (rest.length > 0) forwarded.push(rest)
    return concat(forwarded)
  }

  end(): void {
    const rest = this.#frames.rest()
    if (rest.length === 0) return
    const verdict = this.isDone ? 'end' : this.#events.observe(rest, latin1(rest), 0, rest.length)
    if (verdict !== 'drop') this.#held.push(rest)
  }

  cut(choices: number): void {
    this.#cutChoices = choices
  }

  finish(usage: Usage | null = null): Uint8Array {
    const observer = this.#events.upToDate()
    const choices = this.#cutChoices
    if (choices !== null) return observer.ending({ choices, usage, events: this.events })
    return concat([observer.closing?.(usage) ?? noBytes, this.#pending, ...this.#held, this.#frames.rest()])
  }
}
