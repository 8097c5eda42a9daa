import type { JsonObject } from '../json'
import { objectOf as membersOf, textOf } from '../neutral/read'
import { TextObserver } from '../streaming/text-observer'
import type { ReportedUsage } from '../usage'
import { objectOf } from './chunk-data'
import { errorIn } from './errors'
import { reportedFailure } from './reported-failure'

/** The events of a stream whose last one reports the usage. */
export interface MediaEvents {
  /** Returns whether events of this type carry content. */
  readonly isContent: (type: string) => boolean
  /** Returns whether an event of this type ends the stream. */
  readonly isEnd: (type: string) => boolean
  /** Returns the text that an event adds to the output; empty when it adds none. */
  readonly textIn: (event: JsonObject) => string
  readonly usageIn: (event: JsonObject) => ReportedUsage | null
}

const leadingType = /data: ?\{\s*"type"\s*:\s*"([^"\\]*)"/
const noBytes = new Uint8Array(0)

/** Observes a stream of audio or of a transcript: typed events, the last of which reports the usage. */
export class MediaObserver extends TextObserver {
  usage: ReportedUsage | null = null

  constructor(private readonly format: MediaEvents) {
    super()
  }

  protected readEvent(event: string): void {
    if (!event.includes('data:')) return
    if (/data: ?\[DONE\]/.test(event)) return this.#end()
    this.events += 1
    const { format } = this
    const type = leadingType.exec(event)?.[1] ?? textOf(membersOf(objectOf(event))['type'])
    if (format.isEnd(type)) {
      this.usage = format.usageIn(membersOf(objectOf(event)))
      this.#end()
    }
    if (format.isContent(type)) this.#content(event)
    else if (!format.isEnd(type)) this.#fail(membersOf(objectOf(event)))
  }

  /** Such a stream cannot be ended early. */
  ending(): Uint8Array {
    return noBytes
  }

  #end(): void {
    this.isDone = true
    this.isFinished = true
  }

  #content(event: string): void {
    const { contentEvents } = this
    this.isVisible = true
    this.countText(this.format.textIn(membersOf(objectOf(event))))
    if (this.contentEvents === contentEvents) this.contentEvents += 1
  }

  #fail(reported: JsonObject): void {
    this.error ??= errorIn(reported) ?? reportedFailure(reported, false)
  }
}
