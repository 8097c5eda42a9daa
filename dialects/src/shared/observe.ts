import type { ChunkChange, ErrorView, StreamTap, TapOptions } from '../dialect'
import type { JsonObject } from '../json'
import { believedUsage } from './reported-usage'
import { concat, latin1, SseFrames, type SseRead } from '../streaming/sse-frames'
import { TextEvent } from '../streaming/fast-path/text-event'
import type { ReportedUsage, Usage } from '../usage'
import { eventOf, objectOf } from './chunk-data'
import { nothingSaid, sayBytes, valueStart, type Said } from './delta'
import { toldFailure } from './told-failure'
import { errorIn, errorInChoices } from './errors'
import { WebSearches } from './searches'
import { usageBody, usageIn, withServiceTier } from './usage'

/** How the chunks of an endpoint are read. */
export interface ChunkFormat {
  /** The `object` of a chunk. */
  readonly object: string
  /** What a choice of a chunk has that brings nothing. */
  readonly empty: JsonObject
  /** Collect what an event says; answers whether it said anything. */
  readonly collect: (event: string, said: Said) => boolean
}

type Verdict = 'pass' | 'drop' | 'end'
const nothing = new Uint8Array(0)
const endMark = new TextEncoder().encode('data: [DONE]\n\n')
/** An event longer than this is no end mark. */
const longestEndMark = 64

/**
 * Watches a stream of OpenAI chunks. Costs a few searches for each event: nothing is parsed but an event that carries
 * usage or an error, unless changes are wanted.
 */
export class OpenAiTap implements StreamTap {
  events = 0
  contentEvents = 0
  isDone = false
  isFinished = false
  error: ErrorView | null = null

  readonly #options: TapOptions
  readonly #format: ChunkFormat
  readonly #frames = new SseFrames()
  readonly #said: Said = nothingSaid()
  /** The form of the event before, when another of it would tell nothing but a piece of text. */
  #textEvent: TextEvent | null = null
  #usage: ReportedUsage | null = null
  readonly #searches = new WebSearches()
  /** How many events had said something when the usage came. */
  #usageAt = 0
  /** From the end mark on. */
  #held: Uint8Array[] = []
  /** The first chunk names the answer. */
  #first = ''
  /** How many choices the answer ends with where it was cut. */
  #cutChoices: number | null = null

  constructor(format: ChunkFormat, options: TapOptions) {
    this.#format = format
    this.#options = options
  }

  /** A usage that came before more was said does not cover the completion. */
  get usage(): ReportedUsage | null {
    const hasOutput = this.contentEvents > 0 || this.#said.toolCalls > 0
    return believedUsage(this.#usage && this.#withTier(this.#usage), {
      hasOutput,
      isCovered: this.#usageAt === this.contentEvents,
      toolCalls: this.#searches.calls,
    })
  }

  get toolCalls(): number {
    return this.#said.toolCalls
  }

  get isEmpty(): boolean {
    return this.#said.toolCalls === 0 && !this.#said.isVisible
  }

  get textBytes(): number {
    return this.#said.text.seen
  }

  completionText(): string {
    return this.#said.text.text()
  }

  push(chunk: Uint8Array): Uint8Array {
    const { changes } = this.#options
    // Most of what is read is one event.
    if (!changes && this.#frames.isBetween && this.#isMoreText(chunk, 0, chunk.length)) return chunk
    const read = this.#frames.push(chunk)
    if (read === null) return nothing
    if (changes) return this.#rewrite(read)
    let from = 0
    let kept: Uint8Array[] | null = null
    let start = read.start
    for (const end of read.ends) {
      const verdict = this.#look(read, start, end)
      if (verdict !== 'pass') {
        kept ??= []
        if (start > from) kept.push(read.bytes.subarray(from, start))
        if (verdict === 'end') this.#held.push(read.bytes.subarray(start, end))
        from = end
      }
      start = end
    }
    if (kept === null) return read.bytes
    if (from < read.bytes.length) kept.push(read.bytes.subarray(from))
    return concat(kept)
  }

  end(): void {
    const rest = this.#frames.rest()
    if (rest.length === 0) return
    if (this.#look({ bytes: rest, text: latin1(rest) }, 0, rest.length) !== 'drop') this.#held.push(rest)
  }

  finish(usage: Usage | null): Uint8Array {
    const parts: Uint8Array[] = []
    const changes = this.#options.changes ?? []
    changes.forEach((change, index) => {
      parts.push(...changedBy(changes.slice(index + 1), change.end()).map(eventOf))
    })
    if (this.#cutChoices !== null) parts.push(eventOf(this.#lengthChunk(this.#cutChoices)))
    if (this.#options.addUsage && usage !== null && isOwed(usage, this.usage))
      parts.push(eventOf(this.#usageChunk(usage)))
    if (this.#cutChoices !== null) return concat([...parts, endMark])
    return concat([...parts, ...this.#held, this.#frames.rest()])
  }

  cut(choices: number): void {
    this.#cutChoices = choices
  }

  /** Learn what an event tells, and whether it goes on to the client. */
  #look({ bytes, text }: Pick<SseRead, 'bytes' | 'text'>, start: number, end: number): Verdict {
    if (this.#isMoreText(bytes, start, end)) return 'pass'
    const event = text.slice(start, end)
    if (event.length <= longestEndMark && event.includes('[DONE]') && /^data: ?\[DONE\]\s*$/m.test(event))
      this.isDone = true
    if (this.isDone) return 'end'
    if (!event.includes('data:')) return 'pass'
    this.events += 1
    if (this.events === 1) this.#first = event
    const { pieces, toolCalls } = this.#said
    if (this.#format.collect(event, this.#said)) this.contentEvents += 1
    const isText = this.#said.pieces === pieces + 1 && this.#said.toolCalls === toolCalls
    if (!this.isFinished) this.isFinished = isFilled(event, '"finish_reason"', '"')
    if (isFilled(event, '"error"', '{"') || (!isText && mayTellFailure(event))) this.#readError(event)
    const hasUsage = isFilled(event, '"usage"', '{')
    if (!hasUsage && this.#searches.isWorthLooking(event)) this.#searches.take(objectOf(event) ?? {})
    this.#textEvent =
      isText && !hasUsage ? new TextEvent(bytes.subarray(start, end), this.#said.start, this.#said.end) : null
    return hasUsage && this.#readUsage(event) ? 'drop' : 'pass'
  }

  /** Takes an event that is as the one before it, but for its text. */
  #isMoreText(bytes: Uint8Array, start: number, end: number): boolean {
    const form = this.#textEvent
    if (form === null || this.isDone || !form.isLike(bytes, start, end)) return false
    this.events += 1
    this.contentEvents += 1
    sayBytes(bytes, form.start, form.end, this.#said)
    return true
  }

  #readError(event: string): void {
    const chunk = objectOf(event)
    if (chunk)
      this.error ??=
        errorIn(chunk) ?? errorInChoices(chunk['choices']) ?? toldFailure(chunk, Array.isArray(chunk['choices']))
  }

  /** Take an event's usage; the last one counts. Answers whether the event is there for nothing else and not wanted. */
  #readUsage(event: string): boolean {
    const chunk = objectOf(event)
    if (!chunk) return false
    this.#searches.take(chunk)
    const usage = usageIn(chunk)
    if (usage) {
      this.#usage = usage
      this.#usageAt = this.contentEvents
    }
    return this.#options.swallowUsage && isUsageOnly(chunk)
  }

  /** Each chunk names the tier; where the one with the usage does not, the first one did. */
  #withTier(usage: ReportedUsage): ReportedUsage {
    if (usage.details?.service_tier !== undefined || !this.#first.includes('"service_tier"')) return usage
    return withServiceTier(usage, objectOf(this.#first)?.['service_tier'])
  }

  #usageChunk(usage: Usage): JsonObject {
    return this.#chunk({ choices: [], usage: usageBody(usage) })
  }

  #lengthChunk(choices: number): JsonObject {
    const ending = { ...this.#format.empty, finish_reason: 'length' }
    return this.#chunk({ choices: Array.from({ length: choices }, (_, index) => ({ index, ...ending })) })
  }

  #chunk(members: JsonObject): JsonObject {
    const { id = '', created = 0, model = '' } = objectOf(this.#first) ?? {}
    return { id, object: this.#format.object, created, model, ...members }
  }

  #rewrite(read: SseRead): Uint8Array {
    const parts: Uint8Array[] = read.start > 0 ? [read.bytes.subarray(0, read.start)] : []
    let start = read.start
    for (const end of read.ends) {
      const verdict = this.#look(read, start, end)
      if (verdict === 'end') this.#held.push(read.bytes.subarray(start, end))
      else if (verdict === 'pass')
        parts.push(...(this.#changed(read.text.slice(start, end)) ?? [read.bytes.subarray(start, end)]))
      start = end
    }
    return concat(parts)
  }

  /** The events that take the place of this one; null when it holds no chunk. */
  #changed(event: string): Uint8Array[] | null {
    const chunk = objectOf(event)
    if (chunk === null || errorIn(chunk)) return null
    return changedBy(this.#options.changes ?? [], [chunk]).map(eventOf)
  }
}

/** Whether the client has read another usage than the one it pays. */
const isOwed = (charged: Usage, reported: ReportedUsage | null): boolean =>
  reported === null ||
  charged.promptTokens !== reported.promptTokens ||
  charged.completionTokens !== reported.completionTokens

const changedBy = (changes: readonly ChunkChange[], chunks: readonly JsonObject[]): readonly JsonObject[] =>
  changes.reduce((current, change) => current.flatMap((chunk) => change.chunk(chunk)), chunks)

const isUsageOnly = ({ choices }: JsonObject): boolean =>
  choices === undefined || choices === null || (Array.isArray(choices) && choices.length === 0)

/** Without choices an event is the usage or a failure; MiniMax tells one beside them too. */
const mayTellFailure = (event: string): boolean => !isFilled(event, '"choices"', '[') || event.includes('"base_resp"')

/** Whether the event has a member of this name whose value starts with one of the characters. */
function isFilled(event: string, name: string, starts: string): boolean {
  for (let at = event.indexOf(name); at >= 0; at = event.indexOf(name, at + name.length)) {
    const value = valueStart(event, at + name.length)
    const first = value < 0 ? undefined : event[value]
    if (first !== undefined && starts.includes(first)) return true
  }
  return false
}
