import type { StreamTap } from '../core/dialect'
import type { AnswerView, ErrorView } from '../core/views'
import { imageView } from '../core/dialect-from-codec'
import type { ImageCodec, UpstreamImageCodec } from '../core/neutral/image'
import { parsedObject } from '../core/neutral/read'
import { readImages } from '../core/shared/joined-responses'
import { failureIn } from '../core/shared/reported-failure'
import { concat } from '../core/streaming/sse-frames'
import type { ReportedUsage, Usage } from '../core/usage'
import type { JsonObject } from '../core/json'
import type { Translate } from './translate'

/** Translates a call for images. Upstreams of another dialect respond in one piece. */
export function imageTranslation(client: ImageCodec, upstream: UpstreamImageCodec): Translate {
  return (body, pathContext, upstreamModel) => {
    const call = client.readCall(body, pathContext)
    const warnings = new Set(client.unreadOptions(body))
    const written = upstream.writeCall({ ...call, model: upstreamModel }, (what) => warnings.add(what))
    const { writeStream } = client
    return {
      body: written,
      warnings: [...warnings],
      read: (answer) => ({
        leftOut: [],
        write: (usage, { model, now }) =>
          client.writeAnswer({ ...readImages(upstream, answer), usage }, { model, now, call }),
      }),
      ...(writeStream && {
        createTap: ({ now }) =>
          new WholeImageTap(upstream, (answer, usage) =>
            writeStream({ ...readImages(upstream, answer), usage }, { now }),
          ),
      }),
    }
  }
}

const noBytes = new Uint8Array(0)
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Waits for a whole response and writes it as a stream once the call is charged. */
class WholeImageTap implements StreamTap {
  events = 0
  readonly toolCalls = 0
  readonly textBytes = 0
  readonly counter = null
  readonly isDone = false
  #parts: Uint8Array[] = []
  #answer: JsonObject = {}
  #view: AnswerView | null = null

  constructor(
    private readonly upstream: UpstreamImageCodec,
    private readonly write: (answer: JsonObject, usage: Usage | null) => string,
  ) {}

  get usage(): ReportedUsage | null {
    return this.#view?.usage ?? null
  }
  get error(): ErrorView | null {
    return this.#view?.error ?? null
  }
  get isEmpty(): boolean {
    return this.#view?.isEmpty ?? true
  }
  get isFinished(): boolean {
    return this.#view !== null && this.#view.error === null
  }
  get contentEvents(): number {
    return this.isEmpty ? 0 : 1
  }

  completionText(): string {
    return ''
  }

  push(chunk: Uint8Array): Uint8Array {
    this.events = 1
    this.#parts.push(chunk)
    return noBytes
  }

  end(): void {
    if (this.#view !== null) return
    this.#answer = parsedObject(decoder.decode(concat(this.#parts))) ?? {}
    this.#parts = []
    this.#view = imageView(this.#answer, this.upstream)
    // A body that is no JSON object is an error too.
    if (this.#view.isEmpty && this.#view.error === null)
      this.#view = { ...this.#view, error: failureIn(this.#answer, false) }
  }

  /** An image has no limit at which it could be cut. */
  cut(): void {}

  finish(usage: Usage | null): Uint8Array {
    return this.isFinished ? encoder.encode(this.write(this.#answer, usage)) : noBytes
  }
}
