import { imageMimeOf } from '../../core/shared/prompt-media'
import { concat } from '../../core/streaming/sse-frames'

const brace = 0x7b
const encoder = new TextEncoder()
const noBytes = new Uint8Array(0)
/** As much as the gateway reads of a whole response. */
const maxBytes = 64 * 1024 * 1024

/** Returns an image that came as its bytes as JSON, in the form of those that come in JSON. Anything else stays as it is. */
export function wrappedImage(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const mime = imageType(body)
  if (mime === null) return body
  const image = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return encoder.encode(JSON.stringify({ result: { image, mime }, success: true }))
}

function imageType(body: Uint8Array): string | null {
  return body[0] === brace ? null : imageMimeOf(Buffer.from(body.subarray(0, 12)).toString('latin1'))
}

/** The same for a response that is read piece by piece. */
export class WrappedImage {
  #parts: Uint8Array[] = []
  #size = 0

  push(bytes: Uint8Array): Uint8Array {
    this.#size += bytes.length
    if (this.#size > maxBytes) this.#parts = []
    else this.#parts.push(bytes.slice())
    return noBytes
  }

  end(): Uint8Array {
    const body = concat(this.#parts)
    this.#parts = []
    return wrappedImage(new Uint8Array(body))
  }
}
