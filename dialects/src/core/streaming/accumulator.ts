import type { AnswerView, ErrorView } from '../views'
import type { AnswerEvent, BlockDelta, BlockStart } from '../neutral/events'
import { InlineImages, minImageLength } from '../shared/inline-images'
import { believedUsage } from '../shared/reported-usage'
import type { ReportedUsage } from '../usage'
import type { JsonObject } from '../json'
import type { EventReader } from '../neutral/codec'
import { parsedObject } from '../neutral/read'
import type { StreamCut, StreamObserver, Verdict } from './observer'
import { serverEvent } from './sse-frames'

/** More of an answer's text is not kept: it is counted only when the upstream reports no usage. */
const maxTextLength = 1024 * 1024

/** What the events of an answer tell the gateway itself. */
export class Accumulator implements AnswerView {
  error: ErrorView | null = null
  toolCalls = 0
  /** How many events carried generated text. */
  contentEvents = 0
  /** How many bytes of text were heard. */
  textBytes = 0
  /** What is open, by choice: the start of its open block, null between blocks. */
  readonly open = new Map<number, BlockStart | null>()
  /** A choice said why it ended. */
  isFinished = false
  #isVisible = false
  #texts: string[] = []
  /** Inside the text and outside it. */
  #images: InlineImages | null = null
  #drawn = 0
  #length = 0
  #usage: ReportedUsage | null = null
  #usageAt = 0
  /** What the latest thought or call was signed with, and in which block. */
  #signature = ''
  #signed: BlockDelta['block'] | null = null

  /** A usage that came before more was said does not cover the completion. */
  get usage(): ReportedUsage | null {
    const hasOutput = this.contentEvents > 0 || this.toolCalls > 0
    return believedUsage(this.#usage, { hasOutput, isCovered: this.#usageAt === this.contentEvents })
  }

  get isEmpty(): boolean {
    return this.toolCalls === 0 && !this.#isVisible
  }

  images(): number {
    return (this.#images?.count ?? 0) + this.#drawn
  }

  /** The latest signature of a thought or a call; empty without one. */
  get signature(): string {
    return this.#signature
  }

  completionText(): string {
    return this.#texts.join('')
  }

  add(event: AnswerEvent): void {
    if (event.type === 'block-delta') this.#delta(event)
    else if (event.type === 'block-start') this.#start(event)
    else if (event.type === 'choice-end') this.#endChoice(event.choice)
    else if (event.type === 'block-end') this.open.set(event.choice, null)
    else if (event.type === 'failure') this.error ??= event.error
    else if (event.type === 'usage') {
      this.#usage = event.usage
      this.#usageAt = this.contentEvents
    }
  }

  #endChoice(choice: number): void {
    this.isFinished = true
    this.open.delete(choice)
  }

  #start(start: BlockStart): void {
    const { choice, of } = start
    this.open.set(choice, start)
    if (of.kind !== 'tool-call') return
    this.toolCalls += 1
    this.#keep(of.name)
  }

  #delta({ block, delta }: BlockDelta): void {
    if (delta.kind === 'signature') {
      this.#signature = this.#signed === block ? this.#signature + delta.signature : delta.signature
      this.#signed = block
    }
    if (delta.kind === 'media') {
      this.#isVisible = true
      this.contentEvents += 1
      this.#drawn += delta.mime.startsWith('image/') ? 1 : 0
      this.#keep(delta.transcript ?? '')
    }
    if (delta.kind !== 'text') return
    this.contentEvents += 1
    this.#isVisible ||= delta.text.trim() !== ''
    this.#keep(delta.text)
  }

  #keep(text: string): void {
    if (text.length < minImageLength && this.#images?.isInside !== true) return this.#keepWords(text)
    this.#images ??= new InlineImages()
    this.#images.around(text, 0, text.length, (from, to) => this.#keepWords(text.slice(from, to)))
  }

  #keepWords(text: string): void {
    this.textBytes += Buffer.byteLength(text)
    if (text === '' || this.#length >= maxTextLength) return
    this.#texts.push(text)
    this.#length += text.length
  }
}

const encoder = new TextEncoder()

/** Writes the events that end a stream, of which this is the last event so far, before its own end. */
type WriteEnding = (cut: StreamCut, last: JsonObject) => string

/** Learns from a stream whatever its reader reads from each event. For dialects whose last event says why the answer ended. */
export class CodecObserver extends Accumulator implements StreamObserver {
  readonly onlyText = null
  events = 0
  isDone = false
  #last = ''
  readonly #reader: EventReader
  readonly #writeEnding: WriteEnding

  constructor(reader: EventReader, writeEnding: WriteEnding) {
    super()
    this.#reader = reader
    this.#writeEnding = writeEnding
  }

  observe(text: string): Verdict {
    const event = serverEvent(Buffer.from(text, 'latin1').toString('utf8'))
    if (event === null) return 'pass'
    this.events += 1
    this.#last = event.data
    for (const part of this.#reader.read(event)) this.add(part)
    this.isDone = this.isFinished
    return this.isDone ? 'end' : 'pass'
  }

  ending(cut: StreamCut): Uint8Array {
    return encoder.encode(this.#writeEnding(cut, parsedObject(this.#last) ?? {}))
  }
}
