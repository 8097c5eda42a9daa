import type { ErrorView } from '../views'
import { hasVisible } from '../shared/delta'
import type { ReportedUsage } from '../usage'
import { TextBuffer } from './fast-path/text-buffer'
import type { StreamCut, StreamObserver, TextRange, Verdict } from './observer'

/** Collects what a stream generated. What an event means is the dialect's: `look` gets each of them. */
export abstract class TextObserver implements StreamObserver {
  events = 0
  contentEvents = 0
  toolCalls = 0
  isDone = false
  isFinished = false
  error: ErrorView | null = null
  onlyText: TextRange | null = null

  readonly #text = new TextBuffer()
  /** Where in its event the latest piece stands, if it does as it is. */
  #range: TextRange | null = null
  /** Something that a reader sees was said or made. */
  protected isVisible = false
  /** Pictures that are not in a text. */
  protected drawn = 0

  abstract get usage(): ReportedUsage | null
  /** Learns what an event reports. */
  protected abstract readEvent(event: string): void
  abstract ending(cut: StreamCut): Uint8Array

  get isEmpty(): boolean {
    return this.toolCalls === 0 && !this.isVisible
  }

  get textBytes(): number {
    return this.#text.seen
  }

  completionText(): string {
    return this.#text.text()
  }

  images(): number {
    return this.#text.images + this.drawn
  }

  observe(event: string): Verdict {
    const { contentEvents, toolCalls, isFinished } = this
    this.#range = null
    this.readEvent(event)
    const isText = this.contentEvents === contentEvents + 1 && this.toolCalls === toolCalls
    this.onlyText = isText && this.isFinished === isFinished && !this.isDone && this.error === null ? this.#range : null
    return this.isDone ? 'end' : 'pass'
  }

  /** What was generated from this byte on. */
  protected textFrom(bytes: number): string {
    return this.#text.text(bytes)
  }

  /** Counts an event with this piece of text, which is the inside of a JSON string in it. */
  protected countPiece(event: string, start: number, end: number): void {
    if (end <= start) return
    this.contentEvents += 1
    this.keep(event, start, end)
    this.#range = { start, end }
  }

  /** As `say`, for a text that was read from an event. */
  protected countText(text: string): void {
    if (text === '') return
    this.contentEvents += 1
    this.keepText(text)
  }

  /** Adds to the text without counting an event. */
  protected keep(event: string, start: number, end: number): void {
    this.#text.append(event, start, end)
    this.isVisible ||= hasVisible(event, start, end)
  }

  protected keepText(text: string): void {
    const escaped = Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8').toString('latin1')
    this.keep(escaped, 0, escaped.length)
  }
}
