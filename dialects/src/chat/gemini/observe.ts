import type { CreatedObject } from '../../core/views'
import { endOfString } from '../../core/json-text'
import type { JsonObject } from '../../core/json'
import { objectOf } from '../../core/shared/chunk-data'
import { valueStart } from '../../core/shared/delta'
import { believedUsage, toolCallCounts } from '../../core/shared/reported-usage'
import type { StreamCut, TextRange, Verdict } from '../../core/streaming/observer'
import { TextObserver } from '../../core/streaming/text-observer'
import type { ReportedUsage } from '../../core/usage'
import { generatedIn, sealedBy, signatureIn } from './response'
import { reportedFailure } from '../../core/shared/reported-failure'
import { errorIn } from './errors'
import { failedFinish, failedFinishWord } from './finish-reasons'
import { readUsage, usageBody, webSearches } from './usage'

const encoder = new TextEncoder()
/** Members whose texts are not the answer's, or that a walk over texts would miss. */
const special = /"(?:groundingMetadata|functionCall|executableCode|inlineData|thoughtSignature|error)"/
const finish = /"(?:finishReason|blockReason)"\s*:\s*"(?!FINISH_REASON_UNSPECIFIED|BLOCKED_REASON_UNSPECIFIED)\w/

/**
 * Learns from a stream of responses. Nearly every event carries the usage so far, so only the last
 * such is parsed, and only when it is asked for; and with it those that carry calls, sources, pictures or an error.
 * The stream has no end mark, so an event that says why the answer ended is kept until another follows or the call is charged.
 */
export class GeminiObserver extends TextObserver {
  #searches = 0
  #signature = ''
  /** The last event with a usage, and how many events had said something when it came. */
  #usageEvent = ''
  /** What that event says; undefined: it was not parsed yet. */
  #usageResponse: JsonObject | null | undefined
  #usageAt = 0

  /** A usage that came before more was said does not cover the completion; those at the beginning leave it out. */
  get usage(): ReportedUsage | null {
    const response = (this.#usageResponse ??= objectOf(this.#usageEvent))
    return believedUsage(response && readUsage(response, this.#searches), {
      hasOutput: this.contentEvents > 0,
      isCovered: this.#usageAt === this.contentEvents,
      toolCalls: toolCallCounts({ webSearch: this.#searches }),
    })
  }

  createdObjects(): readonly CreatedObject[] {
    return sealedBy(this.#signature)
  }

  override observe(event: string): Verdict {
    super.observe(event)
    if (!event.includes('data:') || !finish.test(event)) return 'pass'
    this.isFinished = true
    this.onlyText = null
    return 'hold'
  }

  ending({ choices, usage }: StreamCut): Uint8Array {
    const { modelVersion, responseId } = objectOf(this.#usageEvent) ?? {}
    const content = { parts: [{ text: '' }], role: 'model' }
    const response = {
      candidates: Array.from({ length: choices }, (_, index) => ({ content, finishReason: 'MAX_TOKENS', index })),
      ...(usage && { usageMetadata: usageBody(usage) }),
      modelVersion,
      responseId,
    }
    return encoder.encode(`data: ${JSON.stringify(response)}\r\n\r\n`)
  }

  protected readEvent(event: string): void {
    if (!event.includes('data:')) return
    this.events += 1
    if (special.test(event) || !event.includes('"candidates"') || this.#isFailing(event)) this.#parse(event)
    else this.#collect(event)
    if (!event.includes('"usageMetadata"')) return
    this.#usageEvent = event
    this.#usageResponse = undefined
    this.#usageAt = this.contentEvents
  }

  /** Nothing was said, and the event may say that nothing will be. */
  #isFailing(event: string): boolean {
    return this.contentEvents === 0 && this.toolCalls === 0 && failedFinishWord.test(event)
  }

  #parse(event: string): void {
    const response = objectOf(event)
    if (response === null) return
    this.error ??= errorIn(response) ?? reportedFailure(response, 'candidates' in response)
    this.#signature = signatureIn(response) || this.#signature
    const { texts, toolCalls, hasMedia, images } = generatedIn(response)
    const hasOutput = this.contentEvents + this.toolCalls + toolCalls + texts.length > 0 || hasMedia
    if (!hasOutput) this.error ??= failedFinish(response)
    this.toolCalls += toolCalls
    this.isVisible ||= hasMedia
    this.drawn += images
    if (texts.length > 0 || hasMedia) this.contentEvents += 1
    for (const text of texts) this.keepText(text)
    // What a later event tells of the searches is all of them.
    this.#searches = Math.max(this.#searches, webSearches(response))
  }

  #collect(event: string): void {
    const ranges = textRanges(event)
    const [only] = ranges
    if (only && ranges.length === 1) this.countPiece(event, only.start, only.end)
    else if (only) {
      this.contentEvents += 1
      for (const { start, end } of ranges) this.keep(event, start, end)
    }
  }
}

/** Where the texts stand. An open quote before `text` can only begin a name: inside a string it is escaped. */
function textRanges(event: string): TextRange[] {
  const ranges: TextRange[] = []
  for (let at = event.indexOf('"text"'); at >= 0; at = event.indexOf('"text"', at + 6)) {
    const start = valueStart(event, at + 6)
    if (start < 0 || event[start] !== '"') continue
    const end = endOfString(event, start)
    if (end > start + 1) ranges.push({ start: start + 1, end })
    at = end
  }
  return ranges
}
