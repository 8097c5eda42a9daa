import { parsedObject } from '../../core/neutral/read'
import { concat } from '../../core/streaming/sse-frames'
import { openAiImagesCodec, streamOf } from './dialect'

const noBytes = new Uint8Array(0)
const encoder = new TextEncoder()
const decoder = new TextDecoder()
/** As much as the gateway reads of a whole response. */
const maxBytes = 64 * 1024 * 1024

/** Makes a stream of a whole response with images, for vendors that do not stream. An error becomes an event as it is. */
export class WholeImages {
  #parts: Uint8Array[] = []
  #size = 0

  /** `type` names the event of each image. */
  constructor(private readonly type = 'image_generation.completed') {}

  push(bytes: Uint8Array): Uint8Array {
    this.#size += bytes.length
    if (this.#size > maxBytes) this.#parts = []
    else this.#parts.push(bytes)
    return noBytes
  }

  end(): Uint8Array {
    const answer = parsedObject(decoder.decode(concat(this.#parts)))
    this.#parts = []
    if (answer === null) return noBytes
    const images = openAiImagesCodec.readAnswer(answer)
    const now = typeof answer['created'] === 'number' ? answer['created'] : 0
    const text =
      images.images.length === 0 ? `data: ${JSON.stringify(answer)}\n\n` : streamOf(this.type)(images, { now })
    return encoder.encode(text)
  }
}
