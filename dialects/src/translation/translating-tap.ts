import type { ErrorView, StreamTap } from '../dialect'
import type { EventReader, EventWriter } from '../neutral/codec'
import type { AnswerEvent } from '../neutral/events'
import { SseFrames, type SseRead } from '../sse-frames'
import { textEventOf, type TextEvent } from '../text-event'
import { noUsage, type Usage } from '../usage'
import type { EventChange } from './event-change'
import { Said } from './said'
import { serverEvent } from './server-event'

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
  readonly #said = new Said()
  readonly #parts: TranslatingParts
  /** The form of the event before, when it brought a piece of text and nothing else. */
  #textEvent: TextEvent | null = null
  /** The ends of choices. */
  readonly #held: AnswerEvent[] = []

  constructor(parts: TranslatingParts) {
    this.#parts = parts
  }

  get error(): ErrorView | null {
    return this.#said.error
  }
  get usage(): Usage | null {
    return this.#said.usage
  }
  get isEmpty(): boolean {
    return this.#said.isEmpty
  }
  get toolCalls(): number {
    return this.#said.toolCalls
  }
  get contentEvents(): number {
    return this.#said.contentEvents
  }
  get isFinished(): boolean {
    return this.#said.isFinished
  }

  completionText(): string {
    return this.#said.completionText()
  }

  push(chunk: Uint8Array): Uint8Array {
    const read = this.#frames.push(chunk)
    if (read === null || this.isDone) return nothing
    const now: AnswerEvent[] = []
    let start = read.start
    for (const end of read.ends) {
      for (const event of this.#heard(this.#again(read, start, end) ?? this.#read(read, start, end))) {
        if (isEnding(event)) this.#held.push(event)
        else now.push(event)
        if (event.type === 'answer-start') now.push(this.#firstUsage())
      }
      start = end
    }
    return this.#written(now)
  }

  /** What was cut off is read too; what it says is told by `finish`. */
  end(): void {
    const rest = this.#frames.rest()
    if (rest.length > 0 && !this.isDone) this.#held.push(...this.#heard(this.#readText(decoder.decode(rest))))
    if (!this.isDone) this.#held.push(...this.#heard(this.#parts.reader.end()))
  }

  finish(usage: Usage | null): Uint8Array {
    if (this.error !== null) return this.#written(this.#held)
    const held = this.#held.filter(({ type }) => type !== 'usage' && type !== 'answer-end')
    return this.#written([
      ...held,
      ...(usage === null ? [] : [{ type: 'usage', usage } as const]),
      { type: 'answer-end' },
    ])
  }

  /** An event that is as the one before it, but for its text, is not read again. */
  #again({ bytes }: SseRead, start: number, end: number): readonly AnswerEvent[] | null {
    const form = this.#textEvent
    if (!form?.isLike(bytes, start, end)) return null
    const said = bytes.subarray(form.startIn(start), form.endIn(end))
    const events = this.#parts.reader.again?.(Buffer.prototype.toString.call(said, 'utf8')) ?? null
    if (events !== null) this.events += 1
    return events
  }

  #read(read: SseRead, start: number, end: number): readonly AnswerEvent[] {
    const events = this.#readText(textIn(read, start, end))
    const [only] = events
    const isText = events.length === 1 && only?.type === 'block-delta' && only.delta.kind === 'text'
    this.#textEvent =
      isText && this.#parts.reader.again ? textEventOf(read.bytes.subarray(start, end), only.delta.text) : null
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
      this.#said.hear(event)
      if (event.type === 'answer-end') this.isDone = true
    }
    return events
  }

  /** Streams that name their usage at their beginning have the estimate until the upstream says better. */
  #firstUsage(): AnswerEvent {
    return { type: 'usage', usage: { ...noUsage, promptTokens: this.#parts.promptTokens } }
  }

  #written(events: readonly AnswerEvent[]): Uint8Array {
    if (events.length === 0) return nothing
    let changed = events
    for (const change of this.#parts.changes) changed = changed.flatMap((event) => change.event(event))
    return encoder.encode(this.#parts.writer.write(changed))
  }
}

const beyondAscii = /[\x80-\uffff]/

/** One event. Latin-1 and UTF-8 agree on ASCII, which most events are. */
function textIn({ bytes, text }: SseRead, start: number, end: number): string {
  const latin = text.slice(start, end)
  return beyondAscii.test(latin) ? decoder.decode(bytes.subarray(start, end)) : latin
}

const isEnding = ({ type }: AnswerEvent): boolean => type === 'choice-end' || type === 'answer-end'
