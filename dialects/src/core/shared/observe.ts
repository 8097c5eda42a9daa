import type { ChunkChange, StreamTap, TapOptions } from '../dialect'
import type { ErrorView, CreatedObject } from '../views'
import type { JsonObject } from '../json'
import { objectOf as membersOf, objectsOf, textOf } from '../neutral/read'
import { argumentsAsText } from './argument-texts'
import { believedUsage } from './reported-usage'
import type { StreamCut, StreamObserver, TextRange, Verdict } from '../streaming/observer'
import { PassingTap } from '../streaming/passing-tap'
import { concat } from '../streaming/sse-frames'
import type { ReportedUsage, Usage } from '../usage'
import { eventOf, objectOf } from './chunk-data'
import { noDeltaText, valueStart, type DeltaText } from './delta'
import { failedChoice, failedReasonWord, reportedFailure } from './reported-failure'
import { errorIn, errorInChoices } from './errors'
import { WebSearches } from './searches'
import { usageBody, usageIn, withServiceTier } from './usage'

/** How the chunks of an endpoint are read. */
export interface ChunkFormat {
  /** The `object` of a chunk. */
  readonly object: string
  /** What a choice of a chunk has that brings nothing. */
  readonly empty: JsonObject
  /** Collects the text of an event; returns whether it had any. */
  readonly collect: (event: string, collected: DeltaText) => boolean
}

const endMark = new TextEncoder().encode('data: [DONE]\n\n')
/** One of the first events names a recording. */
const maxBeginnings = 4
/** An event longer than this is not an end mark. */
const maxEndMarkLength = 64

/** A tap on a stream of OpenAI chunks. */
export const chunkTap = (format: ChunkFormat, options: TapOptions): StreamTap =>
  new PassingTap(new ChunkObserver(format, options))

/**
 * Learns from OpenAI chunks by a few searches in each: nothing is parsed but an event that carries usage or an error, unless
 * changes are wanted.
 */
class ChunkObserver implements StreamObserver {
  events = 0
  contentEvents = 0
  isDone = false
  isFinished = false
  error: ErrorView | null = null

  readonly #options: TapOptions
  readonly #format: ChunkFormat
  rewrite: ((event: string) => readonly Uint8Array[] | null) | undefined
  onlyText: TextRange | null = null
  readonly #collected: DeltaText = noDeltaText()
  #usage: ReportedUsage | null = null
  readonly #searches = new WebSearches()
  /** How many events had said something when the usage came. */
  #usageAt = 0
  /** The id of what is spoken, which a later request may name. */
  #recording = ''
  /** Images outside the text. */
  #images = 0
  /** The first chunk names the answer. */
  #first = ''

  constructor(format: ChunkFormat, options: TapOptions) {
    this.#format = format
    this.#options = options
    const { changes } = options
    if (changes) this.rewrite = (event) => changedEvents([argumentsAsText, ...changes], event)
  }

  /** A usage that came before more was said does not cover the completion. */
  get usage(): ReportedUsage | null {
    const hasOutput = this.contentEvents > 0 || this.#collected.toolCalls > 0
    return believedUsage(this.#usage && this.#withTier(this.#usage), {
      hasOutput,
      isCovered: this.#usageAt === this.contentEvents,
      toolCalls: this.#searches.calls,
    })
  }

  get toolCalls(): number {
    return this.#collected.toolCalls
  }

  get isEmpty(): boolean {
    return this.#collected.toolCalls === 0 && !this.#collected.isVisible
  }

  get textBytes(): number {
    return this.#collected.text.seen
  }

  completionText(): string {
    return this.#collected.text.text()
  }

  createdObjects(): readonly CreatedObject[] {
    return this.#recording === '' ? [] : [{ kind: 'tool', id: this.#recording }]
  }

  images(): number {
    return this.#collected.text.images + this.#images
  }

  closing(usage: Usage | null): Uint8Array {
    return concat([...this.#lastChanges(), ...this.#writeUsageCorrection(usage)])
  }

  ending({ choices, usage }: StreamCut): Uint8Array {
    const length = eventOf(this.#lengthChunk(choices))
    return concat([...this.#lastChanges(), length, ...this.#writeUsageCorrection(usage), endMark])
  }

  #lastChanges(): Uint8Array[] {
    const changes = this.#options.changes ?? []
    return changes.flatMap((change, index) => changedBy(changes.slice(index + 1), change.end()).map(eventOf))
  }

  #writeUsageCorrection(usage: Usage | null): Uint8Array[] {
    const isMissing = this.#options.addUsage && usage !== null && isCorrectionNeeded(usage, this.usage)
    return isMissing ? [eventOf(this.#usageChunk(usage))] : []
  }

  observe(event: string): Verdict {
    this.onlyText = null
    if (event.length <= maxEndMarkLength && event.includes('[DONE]') && /^data: ?\[DONE\]\s*$/m.test(event))
      this.isDone = true
    if (this.isDone) return 'end'
    if (!event.includes('data:')) return 'pass'
    this.events += 1
    if (this.events === 1) this.#first = event
    const { pieces, toolCalls, objects } = this.#collected
    if (this.#format.collect(event, this.#collected)) this.contentEvents += 1
    const hasObject = this.#collected.objects > objects
    if (!this.#options.changes) this.rewrite = hasObject ? withTexts : undefined
    const isText = this.#collected.pieces === pieces + 1 && this.#collected.toolCalls === toolCalls && !hasObject
    const mayBegin = this.events <= maxBeginnings || !isText
    if (mayBegin && this.#recording === '' && isFilled(event, '"audio"', '{')) this.#readRecording(event)
    if (!isText && isFilled(event, '"images"', '[')) this.#images += namesIn(event, '"image_url"')
    if (!this.isFinished && isFilled(event, '"finish_reason"', '"')) this.#finish(event)
    if (isFilled(event, '"error"', '{"') || (!isText && mayReportFailure(event))) this.#readError(event)
    const hasUsage = isFilled(event, '"usage"', '{')
    if (!hasUsage && this.#searches.isWorthLooking(event)) this.#searches.take(objectOf(event) ?? {})
    const isRepeatable = isText && !hasUsage && !this.rewrite
    if (isRepeatable) this.onlyText = { start: this.#collected.start, end: this.#collected.end }
    return hasUsage && this.#readUsage(event) ? 'drop' : 'pass'
  }

  #finish(event: string): void {
    this.isFinished = true
    const hasOutput = this.contentEvents > 0 || this.#collected.toolCalls > 0
    if (!hasOutput && failedReasonWord.test(event)) this.error ??= failedChoice(objectOf(event)?.['choices'])
  }

  #readRecording(event: string): void {
    const [choice] = objectsOf(objectOf(event)?.['choices'])
    this.#recording = textOf(membersOf(membersOf(choice?.['delta'])['audio'])['id'])
  }

  #readError(event: string): void {
    const chunk = objectOf(event)
    if (chunk)
      this.error ??=
        errorIn(chunk) ?? errorInChoices(chunk['choices']) ?? reportedFailure(chunk, Array.isArray(chunk['choices']))
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
}

const withTexts = (event: string) => changedEvents([argumentsAsText], event)

/** The events that take the place of this one; null when it holds no chunk. */
function changedEvents(changes: readonly ChunkChange[], event: string): readonly Uint8Array[] | null {
  const chunk = objectOf(event)
  return chunk === null || errorIn(chunk) ? null : changedBy(changes, [chunk]).map(eventOf)
}

/** Whether the client has read another usage than the one it pays. */
const isCorrectionNeeded = (charged: Usage, reported: ReportedUsage | null): boolean =>
  reported === null ||
  charged.promptTokens !== reported.promptTokens ||
  charged.completionTokens !== reported.completionTokens

const changedBy = (changes: readonly ChunkChange[], chunks: readonly JsonObject[]): readonly JsonObject[] =>
  changes.reduce((current, change) => current.flatMap((chunk) => change.chunk(chunk)), chunks)

const isUsageOnly = ({ choices }: JsonObject): boolean =>
  choices === undefined || choices === null || (Array.isArray(choices) && choices.length === 0)

/** Without choices an event is the usage or a failure; MiniMax reports one there too. */
const mayReportFailure = (event: string): boolean => !isFilled(event, '"choices"', '[') || event.includes('"base_resp"')

/** Counts the members of this name. */
function namesIn(event: string, name: string): number {
  let count = 0
  for (let at = event.indexOf(name); at >= 0; at = event.indexOf(name, at + name.length))
    if (valueStart(event, at + name.length) >= 0) count += 1
  return count
}

/** Whether the event has a member of this name whose value starts with one of the characters. */
function isFilled(event: string, name: string, starts: string): boolean {
  for (let at = event.indexOf(name); at >= 0; at = event.indexOf(name, at + name.length)) {
    const value = valueStart(event, at + name.length)
    const first = value < 0 ? undefined : event[value]
    if (first !== undefined && starts.includes(first)) return true
  }
  return false
}
