import { endOfString } from '../../core/json-text'
import type { JsonObject } from '../../core/json'
import { textOf } from '../../core/neutral/read'
import { objectOf } from '../../core/shared/chunk-data'
import { valueStart } from '../../core/shared/delta'
import { addedUsage } from '../../core/shared/joined-responses'
import { errorIn } from '../../core/shared/errors'
import { reportedFailure } from '../../core/shared/reported-failure'
import { TextObserver } from '../../core/streaming/text-observer'
import type { Verdict } from '../../core/streaming/observer'
import type { ReportedUsage } from '../../core/usage'
import { imageUsage } from './response'

const noBytes = new Uint8Array(0)

/**
 * Learns from a stream of pictures. Of each event the picture itself is left out before it is parsed. A picture that is complete
 * may be the last one, so it is kept back until another event follows or the call is charged.
 * https://platform.openai.com/docs/api-reference/images-streaming
 */
export class ImagesObserver extends TextObserver {
  #complete = 0
  #usage: ReportedUsage | null = null

  /** Each event reports the usage of its own picture. */
  get usage(): ReportedUsage | null {
    return this.#usage
  }

  override observe(event: string): Verdict {
    const before = this.#complete
    const verdict = super.observe(event)
    return verdict === 'pass' && this.#complete > before ? 'hold' : verdict
  }

  protected readEvent(event: string): void {
    if (!event.includes('data:')) return
    if (/^data: ?\[DONE\]\s*$/m.test(event)) {
      this.isDone = true
      return
    }
    this.events += 1
    const reported = objectOf(withoutImage(event)) ?? {}
    const type = textOf(reported['type'])
    if (type.endsWith('.partial_image')) this.contentEvents += 1
    else if (type.endsWith('.completed')) this.#completeImage(reported)
    else this.error ??= errorIn(reported) ?? reportedFailure(reported, type !== '')
  }

  #completeImage(reported: JsonObject): void {
    this.contentEvents += 1
    this.isVisible = true
    this.isFinished = true
    this.#complete += 1
    const usage = imageUsage(reported, 1)
    this.#usage = this.#usage === null ? usage : addedUsage(this.#usage, usage)
  }

  /** A stream of pictures has no limit at which it could be cut. */
  ending(): Uint8Array {
    return noBytes
  }
}

const dataName = '"b64_json"'

/** The event with an empty picture. */
function withoutImage(event: string): string {
  const at = event.indexOf(dataName)
  const value = at < 0 ? -1 : valueStart(event, at + dataName.length)
  if (value < 0 || event[value] !== '"') return event
  return event.slice(0, value + 1) + event.slice(endOfString(event, value))
}
