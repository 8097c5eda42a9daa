import { isObject, parseAnswer, SseFrames, WholeImages, type JsonObject } from '@tollgate/dialects'

import type { Unframer } from '../provider'

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const noBytes = new Uint8Array(0)
const openingBrace = 0x7b
const pixelsOfToken = 256

/**
 * Turns the events of Seedream into OpenAI's: each image is complete when it comes, and the usage of all follows at the end. The last
 * image is held until then, to report what the others did not. https://www.volcengine.com/docs/82379/1824137
 */
export class SeedreamUnframer implements Unframer {
  readonly #frames = new SseFrames()
  #whole: WholeImages | null = null
  #hasStarted = false
  /** The image that came last. */
  #held: JsonObject | null = null
  /** Tokens of those before it. */
  #reported = 0
  #failure: unknown = null

  push(bytes: Uint8Array): Uint8Array {
    if (!this.#hasStarted && bytes.length > 0) {
      this.#hasStarted = true
      // A request that streams may be refused in one piece.
      if (bytes[0] === openingBrace) this.#whole = new WholeImages()
    }
    if (this.#whole) return this.#whole.push(bytes)
    const read = this.#frames.push(bytes)
    if (read === null) return noBytes
    const ends = [read.start, ...read.ends]
    return Buffer.concat(read.ends.map((end, index) => this.#event(read.bytes.subarray(ends[index], end))))
  }

  end(): Uint8Array {
    if (this.#whole) return this.#whole.end()
    return Buffer.concat([this.#event(this.#frames.rest()), this.#release(null)])
  }

  #event(bytes: Uint8Array): Uint8Array {
    const reported = dataIn(decoder.decode(bytes))
    if (reported === null) return noBytes
    const { type, error } = reported
    if (type === 'image_generation.partial_succeeded') {
      const before = this.#release(null)
      this.#held = reported
      return before
    }
    if (type === 'image_generation.partial_failed') this.#failure ??= error
    else if (type === 'image_generation.completed') return this.#complete(reported)
    else if (error !== undefined) return eventOf({ error })
    return noBytes
  }

  #complete({ usage }: JsonObject): Uint8Array {
    const total = isObject(usage) && typeof usage['output_tokens'] === 'number' ? usage['output_tokens'] : null
    if (this.#held === null && this.#reported === 0 && this.#failure !== null) return eventOf({ error: this.#failure })
    return this.#release(total)
  }

  /** The held image with its own usage, or with what is left of the total. */
  #release(total: number | null): Uint8Array {
    const image = this.#held
    if (image === null) return noBytes
    this.#held = null
    const tokens = total === null ? tokensOf(image['size']) : Math.max(total - this.#reported, 0)
    this.#reported += tokens
    const { url, b64_json: data, size, created } = image
    return eventOf({
      type: 'image_generation.completed',
      ...(data === undefined ? { url } : { b64_json: data }),
      created_at: created,
      size,
      usage: { input_tokens: 0, output_tokens: tokens, total_tokens: tokens },
    })
  }
}

/** https://www.volcengine.com/docs/82379/1541523: a token stands for 256 pixels. */
function tokensOf(size: unknown): number {
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(typeof size === 'string' ? size : '') ?? []
  return Math.floor((Number(width ?? 0) * Number(height ?? 0)) / pixelsOfToken)
}

function eventOf(reported: JsonObject): Uint8Array {
  const { type } = reported
  return encoder.encode(`${typeof type === 'string' ? `event: ${type}\n` : ''}data: ${JSON.stringify(reported)}\n\n`)
}

function dataIn(event: string): JsonObject | null {
  const lines = event.split(/\r\n|\r|\n/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? [])
  try {
    const reported: unknown = parseAnswer(lines.join('\n'))
    return isObject(reported) ? reported : null
  } catch {
    return null
  }
}
