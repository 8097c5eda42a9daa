import { latin1 } from '../sse-frames'
import type { ReportedUsage } from '../../usage'
import type { StreamObserver, Verdict } from '../observer'
import { maxRepeatLength, TextEvent, TextRun } from './text-event'

/**
 * Spares an observer the events that differ from the one before them in their text alone: it observes each run of them as one
 * event with all of the text. The counts are those of the single events.
 */
export class RepeatedText {
  readonly #observer: StreamObserver
  /** The form of the last observed event, when the next may repeat it. */
  #form: TextEvent | null = null
  #run: TextRun | null = null
  /** How many events more than those of the observer were in the runs that are over. */
  #spared = 0

  constructor(observer: StreamObserver) {
    this.#observer = observer
  }

  get form(): TextEvent | null {
    return this.#form
  }

  get events(): number {
    return this.#observer.events + this.#spared + (this.#run?.pieces ?? 0)
  }

  get contentEvents(): number {
    return this.#observer.contentEvents + this.#spared + (this.#run?.pieces ?? 0)
  }

  get textBytes(): number {
    return this.#observer.textBytes + (this.#run?.textBytes ?? 0)
  }

  /** A run reports no usage where the event before it told none and has none: then it need not be observed to know that. */
  get usage(): ReportedUsage | null {
    const isReported = this.#observer.usage !== null || this.#form?.reportsUsage === true
    return isReported ? this.upToDate().usage : null
  }

  /** The observer, after it observed the run so far. */
  upToDate(): StreamObserver {
    const run = this.#run
    this.#run = null
    if (run !== null) {
      this.#observer.observe(latin1(run.mergeEvents()))
      this.#spared += run.pieces - 1
    }
    return this.#observer
  }

  /** Whether these bytes are an event that goes on with the run, or begins one. */
  repeats(bytes: Uint8Array, start: number, end: number): boolean {
    const form = this.#form
    if (form === null || end - start > maxRepeatLength || !form.isLike(bytes, start, end)) return false
    if (this.#run?.isFull) this.upToDate()
    this.#run ??= new TextRun(form)
    this.#run.add(bytes, start, end)
    return true
  }

  /** `text` is `bytes` as Latin-1. */
  observe(bytes: Uint8Array, text: string, start: number, end: number): Verdict {
    if (this.repeats(bytes, start, end)) return 'pass'
    const observer = this.upToDate()
    const verdict = observer.observe(text.slice(start, end))
    const range = observer.onlyText
    this.#form = range && new TextEvent(bytes.subarray(start, end), range.start, range.end)
    return verdict
  }
}
