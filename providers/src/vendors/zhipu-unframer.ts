import { SseFrames, WholeFrames } from '@tollgate/dialects'

import type { Unframer } from '../provider'

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const openingBrace = 0x7b

/**
 * The events of Zhipu's third API as JSON texts: in addition to `data` they have a field `meta`, which the standard does not know. An
 * answer in one piece, such as an error, is passed on as one event.
 */
export class ZhipuUnframer implements Unframer {
  readonly #frames = new SseFrames()
  #whole: WholeFrames | null = null
  #hasStarted = false

  push(bytes: Uint8Array): Uint8Array {
    if (!this.#hasStarted && bytes.length > 0) {
      this.#hasStarted = true
      if (bytes[0] === openingBrace) this.#whole = new WholeFrames()
    }
    if (this.#whole) return this.#whole.push(bytes)
    const read = this.#frames.push(bytes)
    if (read === null) return new Uint8Array()
    const ends = [read.start, ...read.ends]
    return Buffer.concat(read.ends.map((end, index) => eventOf(read.bytes.subarray(ends[index], end))))
  }

  end(): Uint8Array {
    return this.#whole ? this.#whole.end() : eventOf(this.#frames.rest())
  }
}

function eventOf(bytes: Uint8Array): Uint8Array {
  const fields = new Map<string, string[]>()
  for (const line of decoder.decode(bytes).split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^([a-z]+):(.*)$/.exec(line) ?? []
    if (name === '') continue
    const values = fields.get(name) ?? []
    values.push(value)
    fields.set(name, values)
  }
  const [event] = fields.get('event') ?? []
  if (event === undefined) return new Uint8Array()
  const reported = {
    event: event.trim(),
    data: (fields.get('data') ?? []).join('\n'),
    meta: parseJson((fields.get('meta') ?? []).join('\n')),
  }
  return encoder.encode(`data: ${JSON.stringify(reported)}\n\n`)
}

/** Undefined for anything that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
