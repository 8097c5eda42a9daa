import type { ErrorView, StreamTap } from '../dialect'
import type { EventReader, EventWriter } from '../neutral/codec'
import type { AnswerEvent } from '../neutral/events'
import { believedUsage } from '../shared/reported-usage'
import { concat, SseFrames, type SseRead } from '../streaming/sse-frames'
import { EventPlace, textEventOf, type TextEvent } from '../streaming/fast-path/text-event'
import { noUsage, type ReportedUsage, type Usage } from '../usage'
import type { EventChange } from './event-change'
import { Said } from '../streaming/accumulator'
import { serverEvent } from '../streaming/server-event'
import { TextRun, WrittenForms } from '../streaming/fast-path/text-run'

export interface TranslatingParts {
  readonly reader: EventReader
  readonly writer: EventWriter
  readonly changes: readonly EventChange[]
  /** Estimated. */
  readonly promptTokens: number
}

const nothing = new Uint8Array(0)
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Reads a stream in the upstream's dialect and gives it on in the client's. What ends the answer is kept back for `finish`,
 * so that the call is charged first and the usage that is told is the one that was charged.
 */
export class TranslatingTap implements StreamTap {
  events = 0
  isDone = false

  readonly #frames = new SseFrames()
  readonly #parts: TranslatingParts
  readonly #forms: WrittenForms
  /** Without the run that is under way, which only counts. */
  readonly #heardSoFar = new Said()
  /** The form of the event before, when it brought a piece of text and nothing else but the usage so far. */
  #textEvent: TextEvent | null = null
  /** The pieces of text that are given on now. */
  #run: TextRun | null = null
  /** The last event that was not read, as it is like the one before: it may tell the usage so far. */
  readonly #unread = new EventPlace()
  /** The ends of choices. */
  readonly #held: AnswerEvent[] = []

  constructor(parts: TranslatingParts) {
    this.#parts = parts
    this.#forms = new WrittenForms(parts.writer.skip !== undefined)
  }

  get error(): ErrorView | null {
    return this.#heardSoFar.error
  }
  get usage(): ReportedUsage | null {
    const { toolCalls } = this.#parts.reader
    return believedUsage(this.#said.usage, { hasOutput: false, isCovered: true, toolCalls })
  }
  get isEmpty(): boolean {
    return this.#said.isEmpty
  }
  get toolCalls(): number {
    return this.#heardSoFar.toolCalls
  }
  get contentEvents(): number {
    return this.#said.contentEvents
  }
  get isFinished(): boolean {
    return this.#heardSoFar.isFinished
  }

  get textBytes(): number {
    return this.#heardSoFar.textBytes + (this.#run?.textBytes ?? 0)
  }

  completionText(): string {
    return this.#said.completionText()
  }

  push(chunk: Uint8Array): Uint8Array {
    // Most of what is read is one event.
    const more = this.#frames.isBetween ? this.#more(chunk, 0, chunk.length) : null
    if (more !== null) return more
    const read = this.#frames.push(chunk)
    if (read === null || this.isDone) return nothing
    return this.#translated(read)
  }

  /** What was cut off is read too; what it says is told by `finish`. */
  end(): void {
    this.#endRun()
    this.#count()
    const rest = this.#frames.rest()
    if (rest.length > 0 && !this.isDone) this.#held.push(...this.#heard(this.#readText(decoder.decode(rest))))
    if (!this.isDone) this.#held.push(...this.#heard(this.#parts.reader.end()))
  }

  cut(): void {
    this.#endRun()
    const { open } = this.#heardSoFar
    if (open.size === 0 && !this.isFinished) open.set(0, null)
    for (const [choice, block] of open) {
      if (block !== null) this.#held.push({ type: 'block-end', choice, block })
      this.#held.push({ type: 'choice-end', choice, reason: 'length', rawReason: '', stopSequence: null })
    }
  }

  finish(usage: Usage | null): Uint8Array {
    this.#endRun()
    if (this.error !== null) return encoder.encode(this.#written(this.#held))
    const held = this.#held.filter(({ type }) => type !== 'usage' && type !== 'answer-end')
    const events: AnswerEvent[] = [
      ...held,
      ...(usage === null ? [] : [{ type: 'usage', usage } as const]),
      { type: 'answer-end' },
    ]
    return encoder.encode(this.#written(events))
  }

  /** The events of a run come before all others that were read at once: it ends with the first that does not belong to it. */
  #translated(read: SseRead): Uint8Array {
    const parts: Uint8Array[] = []
    const now: AnswerEvent[] = []
    let isAgain = false
    let start = read.start
    for (const end of read.ends) {
      const more = this.#more(read.bytes, start, end)
      if (more !== null) parts.push(more)
      else {
        this.#endRun()
        const again = this.#again(read, start, end)
        isAgain = again !== null && read.ends.length === 1
        now.push(...this.#mayBeTold(again ?? this.#read(read, start, end)))
      }
      start = end
    }
    if (now.length > 0) parts.push(this.#learned(now, isAgain))
    return concat(parts)
  }

  /** What is written for an event that goes on with the run; null when it does not. */
  #more(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
    const more = this.#run?.take(bytes, start, end) ?? null
    if (more === null) return null
    this.events += 1
    if (this.#parts.reader.counts) this.#unread.set(bytes, start, end)
    return more
  }

  /** All of a run is heard, read and written as one piece, which was told already. */
  #endRun(): void {
    const run = this.#run
    this.#run = null
    if (run === null || run.pieces === 0) return
    const events = this.#parts.reader.again?.(run.text) ?? []
    for (const event of events) this.#heardSoFar.hear(event)
    this.#heardSoFar.contentEvents += run.pieces - 1
    this.#parts.writer.write(events)
    this.#parts.writer.skip?.(run.pieces - 1)
  }

  /** Of the usages so far the last is all. */
  #count(): void {
    const bytes = this.#unread.event()
    this.#unread.clear()
    const event = bytes && serverEvent(decoder.decode(bytes))
    if (event) for (const usage of this.#parts.reader.counts?.(event) ?? []) this.#heardSoFar.hear(usage)
  }

  get #said(): Said {
    this.#endRun()
    this.#count()
    return this.#heardSoFar
  }

  /** An event that is as the one before it, but for its text, is not read again. */
  #again({ bytes }: SseRead, start: number, end: number): readonly AnswerEvent[] | null {
    const form = this.#textEvent
    if (!form?.isLike(bytes, start, end)) return null
    const said = bytes.subarray(form.start, form.end)
    const events = this.#parts.reader.again?.(Buffer.prototype.toString.call(said, 'utf8')) ?? null
    if (events === null) return null
    this.events += 1
    if (this.#parts.reader.counts) this.#unread.set(bytes, start, end)
    return events
  }

  #read(read: SseRead, start: number, end: number): readonly AnswerEvent[] {
    this.#count()
    const { reader } = this.#parts
    const events = this.#readText(textIn(read, start, end))
    const text = textIfOnly(reader.counts ? events.filter(({ type }) => type !== 'usage') : events)
    const isKnown = text !== null && reader.again !== undefined
    this.#textEvent = isKnown ? textEventOf(read.bytes.subarray(start, end), text) : null
    return events
  }

  #readText(text: string): readonly AnswerEvent[] {
    const event = serverEvent(text)
    if (event === null) return []
    this.events += 1
    return this.#parts.reader.read(event)
  }

  #heard(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    for (const event of events) {
      this.#heardSoFar.hear(event)
      if (event.type === 'answer-end') this.isDone = true
    }
    return events
  }

  /** What is told now; the ends are kept back. */
  #mayBeTold(events: readonly AnswerEvent[]): AnswerEvent[] {
    const now: AnswerEvent[] = []
    for (const event of this.#heard(events)) {
      if (isEnding(event)) this.#held.push(event)
      else if (isTellable(event)) now.push(event)
      if (event.type === 'answer-start') now.push(this.#firstUsage())
    }
    return now
  }

  /** A run begins once an event that is as the one before it was written as that, too. */
  #learned(events: readonly AnswerEvent[], isAgain: boolean): Uint8Array {
    const written = this.#written(events)
    const text = isAgain && this.#parts.changes.length === 0 ? textIfOnly(events) : null
    const form = this.#forms.learn(written, text)
    if (form && this.#textEvent) this.#run = new TextRun(this.#textEvent, form)
    return encoder.encode(written)
  }

  /** Streams that name their usage at their beginning have the estimate until the upstream says better. */
  #firstUsage(): AnswerEvent {
    return { type: 'usage', usage: { ...noUsage, promptTokens: this.#parts.promptTokens } }
  }

  #written(events: readonly AnswerEvent[]): string {
    let changed = events
    for (const change of this.#parts.changes) changed = changed.flatMap((event) => change.event(event))
    return this.#parts.writer.write(changed)
  }
}

const beyondAscii = /[\x80-\uffff]/

/** One event. Latin-1 and UTF-8 agree on ASCII, which most events are. */
function textIn({ bytes, text }: SseRead, start: number, end: number): string {
  const latin = text.slice(start, end)
  return beyondAscii.test(latin) ? decoder.decode(bytes.subarray(start, end)) : latin
}

/** A usage without its prompt is not told while the answer goes on: the client has the estimate already. */
const isTellable = (event: AnswerEvent): boolean => event.type !== 'usage' || event.usage.promptTokens > 0

const isEnding = ({ type }: AnswerEvent): boolean => type === 'choice-end' || type === 'answer-end'

/** The text of a piece of text that comes alone. */
function textIfOnly(events: readonly AnswerEvent[]): string | null {
  const [only] = events
  return events.length === 1 && only?.type === 'block-delta' && only.delta.kind === 'text' ? only.delta.text : null
}
