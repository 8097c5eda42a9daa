import type { StreamTap, UsageCounter } from '../core/dialect'
import type { ErrorView, CreatedObject } from '../core/views'
import type { JsonObject } from '../core/json'
import type { EventFormat, EventReader, EventWriter } from '../core/neutral/codec'
import type { AnswerEvent } from '../core/neutral/events'
import { believedUsage } from '../core/shared/reported-usage'
import { concat, serverEvent, SseFrames, type SseRead } from '../core/streaming/sse-frames'
import { EventSerializer } from '../core/streaming/event-serializer'
import { RepeatedTranslation } from '../core/streaming/fast-path/repeated-translation'
import { noUsage, type ReportedUsage, type Usage } from '../core/usage'
import type { LossWatch } from './losses'
import type { EventChange } from './tagged-thoughts'
import { Accumulator } from '../core/streaming/accumulator'

interface TranslatingTapOptions {
  readonly reader: EventReader
  readonly writer: EventWriter
  /** The client's. */
  readonly format: EventFormat
  readonly changes: readonly EventChange[]
  /** Estimated. */
  readonly promptTokens: number
  /** Only the account that signs thoughts takes them back. */
  readonly isSealed: boolean
  readonly lost: LossWatch
}

const noBytes = new Uint8Array(0)
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Reads a stream in the upstream's dialect and gives it on in the client's. What ends the answer is kept back for `finish`,
 * so that the call is charged first and the usage that is sent is the one that was charged.
 */
export class TranslatingTap implements StreamTap {
  events = 0
  isDone = false

  readonly #frames = new SseFrames()
  readonly #parts: TranslatingTapOptions
  readonly #serializer: EventSerializer
  readonly #repeated: RepeatedTranslation
  /** Without the run that is under way, which only counts. */
  readonly #heardSoFar = new Accumulator()
  /** The ends of choices. */
  readonly #held: AnswerEvent[] = []

  constructor(parts: TranslatingTapOptions) {
    this.#parts = parts
    this.#serializer = new EventSerializer(parts.format)
    this.#repeated = new RepeatedTranslation(this.#serializer)
  }

  get error(): ErrorView | null {
    return this.#heardSoFar.error
  }
  get usage(): ReportedUsage | null {
    const { toolCalls } = this.#parts.reader
    return believedUsage(this.#accumulator.usage, { hasOutput: false, isCovered: true, toolCalls })
  }
  get leftOut(): readonly string[] {
    return this.#parts.lost.names
  }
  get counter(): UsageCounter | null {
    return this.#repeated.form
  }
  get isEmpty(): boolean {
    return this.#accumulator.isEmpty
  }
  get toolCalls(): number {
    return this.#heardSoFar.toolCalls
  }
  get contentEvents(): number {
    return this.#accumulator.contentEvents
  }
  get isFinished(): boolean {
    return this.#heardSoFar.isFinished
  }

  get textBytes(): number {
    return this.#heardSoFar.textBytes + this.#repeated.textBytes
  }

  images(): number {
    return this.#accumulator.images()
  }

  completionText(): string {
    return this.#accumulator.completionText()
  }

  createdObjects(): readonly CreatedObject[] {
    const { signature } = this.#accumulator
    return this.#parts.isSealed && signature !== '' ? [{ kind: 'sealed', id: signature }] : []
  }

  wholeAnswer(): JsonObject | null {
    return this.#parts.writer.wholeAnswer?.() ?? null
  }

  push(chunk: Uint8Array): Uint8Array {
    // Most of what is read is one event.
    const more = this.#frames.isBetween ? this.#more(chunk, 0, chunk.length) : null
    if (more !== null) return more
    const read = this.#frames.push(chunk)
    if (read === null || this.isDone) return noBytes
    return this.#translateEvents(read)
  }

  /** What was cut off is read too; what it says is sent by `finish`. */
  end(): void {
    this.#endRun()
    const rest = this.#frames.rest()
    if (rest.length > 0 && !this.isDone) this.#hold(this.#heard(this.#readText(decoder.decode(rest))))
    if (!this.isDone) this.#hold(this.#heard(this.#parts.reader.end()))
  }

  #hold(events: readonly AnswerEvent[]): void {
    for (const event of events) this.#held.push(event)
  }

  cut(): void {
    this.#endRun()
    const { open } = this.#heardSoFar
    if (open.size === 0 && !this.isFinished) open.set(0, null)
    for (const [choice, start] of open) {
      if (start !== null) this.#held.push({ type: 'block-end', choice, block: start.block })
      this.#held.push({ type: 'choice-end', choice, reason: 'length', rawReason: '', stopSequence: null })
    }
  }

  finish(usage: Usage | null): Uint8Array {
    this.#endRun()
    if (this.error !== null) return encoder.encode(this.#serializer.write(this.#writeEvents(this.#held)))
    const held = this.#held.filter(({ type }) => type !== 'usage' && type !== 'answer-end')
    const events: AnswerEvent[] = [
      ...held,
      ...(usage === null ? [] : [{ type: 'usage', usage } as const]),
      { type: 'answer-end' },
    ]
    return encoder.encode(this.#serializer.write(this.#writeEvents(events)))
  }

  /** The events of a run come before all others that were read at once: it ends with the first that does not belong to it. */
  #translateEvents(read: SseRead): Uint8Array {
    const parts: Uint8Array[] = []
    const now: AnswerEvent[] = []
    let start = read.start
    for (const end of read.ends) {
      if (isBlank(read, start, end)) {
        start = end
        continue
      }
      const more = this.#more(read.bytes, start, end)
      if (more !== null) parts.push(more)
      else {
        const events = this.#read(read, start, end)
        // By itself, so that a run can begin with it.
        if (now.length === 0 && this.#repeated.isRepeat) parts.push(this.#sendEvents(events))
        else for (const event of events) now.push(event)
      }
      start = end
    }
    if (now.length > 0) parts.push(this.#sendEvents(now))
    return concat(parts)
  }

  /** What is written for an event that goes on with the run; null when it does not. */
  #more(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
    const more = this.#repeated.take(bytes, start, end)
    if (more !== null) this.events += 1
    return more
  }

  /** All of a run is read and counted as one event. It was sent already. */
  #endRun(): void {
    const run = this.#repeated.endRun()
    if (run === null) return
    // A usage in the last of them covers them all.
    this.#heardSoFar.contentEvents += run.pieces - 1
    const event = serverEvent(decoder.decode(run.mergeEvents()))
    const events = event === null ? [] : this.#heard(this.#parts.reader.read(event))
    this.#parts.writer.write(events.filter(isTellable))
  }

  get #accumulator(): Accumulator {
    this.#endRun()
    return this.#heardSoFar
  }

  #read(read: SseRead, start: number, end: number): AnswerEvent[] {
    this.#endRun()
    const events = this.#readText(textIn(read, start, end))
    const now = this.#takeSendable(events)
    this.#repeated.read(read.bytes.subarray(start, end), this.#onlyText(events))
    return now
  }

  /** The text of events that bring a piece of it and nothing else but the usage so far. What a call's arguments do may depend on them all. */
  #onlyText(events: readonly AnswerEvent[]): string | null {
    const [only, ...others] = events.filter(({ type }) => type !== 'usage')
    if (others.length > 0 || only?.type !== 'block-delta' || only.delta.kind !== 'text') return null
    const isCall = this.#heardSoFar.open.get(only.choice)?.of.kind === 'tool-call'
    return isCall || this.#parts.changes.length > 0 ? null : only.delta.text
  }

  #readText(text: string): readonly AnswerEvent[] {
    const event = serverEvent(text)
    if (event === null) return []
    this.events += 1
    return this.#parts.reader.read(event)
  }

  #heard(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    for (const event of events) {
      this.#heardSoFar.add(event)
      this.#parts.lost.take(event)
      if (event.type === 'answer-end') this.isDone = true
    }
    return events
  }

  /** What is sent now; the ends are kept back. */
  #takeSendable(events: readonly AnswerEvent[]): AnswerEvent[] {
    const now: AnswerEvent[] = []
    for (const event of this.#heard(events)) {
      if (isEnding(event)) this.#held.push(event)
      else if (isTellable(event)) now.push(event)
      if (event.type === 'answer-start') now.push(this.#firstUsage())
    }
    return now
  }

  #sendEvents(events: readonly AnswerEvent[]): Uint8Array {
    const written = this.#writeEvents(events)
    this.#repeated.wrote(written, this.#onlyText(events))
    return encoder.encode(this.#serializer.write(written))
  }

  /** Streams that name their usage at their beginning have the estimate until the upstream says better. */
  #firstUsage(): AnswerEvent {
    return { type: 'usage', usage: { ...noUsage, promptTokens: this.#parts.promptTokens } }
  }

  #writeEvents(events: readonly AnswerEvent[]): readonly JsonObject[] {
    let changed = events
    for (const change of this.#parts.changes) changed = changed.flatMap((event) => change.event(event))
    return this.#parts.writer.write(changed)
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** An empty line between events. */
const isBlank = ({ bytes }: SseRead, start: number, end: number): boolean =>
  end - start <= 2 && (bytes[start] === lineFeed || bytes[start] === carriageReturn)

const beyondAscii = /[\x80-\uffff]/

/** One event. Latin-1 and UTF-8 agree on ASCII, which most events are. */
function textIn({ bytes, text }: SseRead, start: number, end: number): string {
  const latin = text.slice(start, end)
  return beyondAscii.test(latin) ? decoder.decode(bytes.subarray(start, end)) : latin
}

/** A usage without its prompt is not sent while the answer goes on: the client has the estimate already. */
const isTellable = (event: AnswerEvent): boolean => event.type !== 'usage' || event.usage.promptTokens > 0

const isEnding = ({ type }: AnswerEvent): boolean => type === 'choice-end' || type === 'answer-end'
