import type { ServerEvent } from '../neutral/codec'

/** Whole events, read at once. */
export interface SseRead {
  /** All bytes that end with a whole event; the very array that was pushed where it held nothing else. */
  readonly bytes: Uint8Array
  /** The bytes as Latin-1: character n is byte n. */
  readonly text: string
  /** Where the first event begins: what stands before is the end of one that was too long to keep. */
  readonly start: number
  /** Where each event ends. */
  readonly ends: readonly number[]
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const maxBytes = 16 * 1024 * 1024
const noBytes = new Uint8Array(0)
const noFrames: readonly Uint8Array[] = []

/**
 * Cuts a stream of server-sent events into whole ones, at the level of bytes: an event ends with an empty line, whether
 * lines end with LF, CR LF or CR (https://html.spec.whatwg.org/multipage/server-sent-events.html). What comes out does not depend
 * on where the network cut. An event that grows beyond `limit` bytes is handed on uninspected.
 */
export class SseFrames {
  readonly #limit: number
  /** The begun event. */
  #parts: Uint8Array[] = []
  #size = 0
  #isTooLong = false
  /** The begun event uses CR somewhere, so its end must be looked for byte by byte. */
  #hasReturns = false
  /** The last thing read of the begun event was the end of a line. */
  #isLineEnd = false
  /** The last byte was a CR, to which an LF may still belong. */
  #isAfterReturn = false
  /** That CR ended an empty line: the event ends with it, or with its LF. */
  #isEnding = false

  constructor(limit: number = maxBytes) {
    this.#limit = limit
  }

  /** No event is begun: what comes next stands at the beginning of one. */
  get isBetween(): boolean {
    return this.#parts.length === 0 && !this.#isTooLong
  }

  /** Take what was read; null when no event has ended. */
  push(chunk: Uint8Array): SseRead | null {
    if (chunk.length === 0) return null
    const text = latin1(chunk)
    const ends = this.#endsIn(chunk, text)
    const last = ends[ends.length - 1]
    if (last === undefined) return this.#keep(chunk)
    const head = last === chunk.length ? chunk : chunk.subarray(0, last)
    const before = this.#take()
    const wasTooLong = this.#isTooLong
    this.#isTooLong = false
    if (last < chunk.length) this.#keepRest(chunk.subarray(last))
    if (before.length === 0) return this.#read(head, text, ends, wasTooLong)
    const bytes = concat([...before, head])
    const shift = bytes.length - head.length
    return this.#read(
      bytes,
      latin1(bytes),
      ends.map((end) => end + shift),
      wasTooLong,
    )
  }

  /** What was begun and not ended. */
  rest(): Uint8Array {
    return concat(this.#take())
  }

  #read(bytes: Uint8Array, text: string, ends: number[], wasTooLong: boolean): SseRead {
    if (!wasTooLong) return { bytes, text, start: 0, ends }
    return { bytes, text, start: ends[0] ?? 0, ends: ends.slice(1) }
  }

  #take(): readonly Uint8Array[] {
    if (this.#parts.length === 0) return noFrames
    const parts = this.#parts
    this.#parts = []
    this.#size = 0
    return parts
  }

  #keepRest(rest: Uint8Array): void {
    this.#parts.push(rest)
    this.#size = rest.length
  }

  #keep(chunk: Uint8Array): SseRead | null {
    this.#parts.push(chunk)
    this.#size += chunk.length
    if (this.#size <= this.#limit && !this.#isTooLong) return null
    this.#isTooLong = true
    const bytes = concat(this.#take())
    return { bytes, text: '', start: bytes.length, ends: [] }
  }

  #endsIn(chunk: Uint8Array, text: string): number[] {
    if (this.#hasReturns || text.includes('\r')) return this.#walk(chunk)
    const ends: number[] = []
    let from = 0
    if (this.#isLineEnd && chunk[0] === lineFeed) ends.push((from = 1))
    for (let at = text.indexOf('\n\n', from); at >= 0; at = text.indexOf('\n\n', from)) ends.push((from = at + 2))
    this.#isLineEnd = from < chunk.length && chunk[chunk.length - 1] === lineFeed
    return ends
  }

  /** Byte by byte, for streams whose lines may end in more than one way. */
  #walk(chunk: Uint8Array): number[] {
    const ends: number[] = []
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (this.#isAfterReturn) {
        this.#isAfterReturn = false
        if (byte === lineFeed) {
          if (this.#isEnding) this.#close(ends, at + 1)
          continue
        }
        if (this.#isEnding) this.#close(ends, at)
      }
      this.#step(byte, ends, at + 1)
    }
    return ends
  }

  #step(byte: number | undefined, ends: number[], end: number): void {
    if (byte === carriageReturn) {
      this.#hasReturns = true
      this.#isAfterReturn = true
      this.#isEnding = this.#isLineEnd
      this.#isLineEnd = true
    } else if (byte === lineFeed) {
      if (this.#isLineEnd) this.#close(ends, end)
      else this.#isLineEnd = true
    } else this.#isLineEnd = false
  }

  #close(ends: number[], end: number): void {
    ends.push(end)
    this.#isLineEnd = false
    this.#isEnding = false
    this.#hasReturns = false
  }
}

/** Bytes as text of the same length. */
export const latin1 = (bytes: Uint8Array): string => Buffer.prototype.toString.call(bytes, 'latin1')

/** One array of all. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (only === undefined) return noBytes
  return parts.length === 1 ? only : Buffer.concat(parts)
}

const wholeEvent = /^(?:event: ?([^\r\n]*)(?:\r\n|\r|\n))?data: ?([^\r\n]*)[\r\n]*$/

/**
 * The name and the data of one server-sent event; null for a comment.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function serverEvent(text: string): ServerEvent | null {
  const plain = wholeEvent.exec(text)
  if (plain) return { name: plain[1] ?? '', data: plain[2] ?? '' }
  let name = ''
  const data: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
  }
  return data.length === 0 ? null : { name, data: data.join('\n') }
}

const maxAnswerBytes = 64 * 1024 * 1024
const encoder = new TextEncoder()
const before = encoder.encode('data: ')
const after = encoder.encode('\n\n')
const space = 0x20

/**
 * Makes one server-sent event of a whole JSON answer, for vendors that do not stream. A line break inside JSON is mere space,
 * for in its texts it is escaped. Of an answer longer than `limit` bytes nothing comes out.
 */
export class WholeFrames {
  readonly #limit: number
  #parts: Uint8Array[] = []
  #size = 0

  constructor(limit: number = maxAnswerBytes) {
    this.#limit = limit
  }

  push(bytes: Uint8Array): Uint8Array {
    this.#size += bytes.length
    if (this.#size > this.#limit) this.#parts = []
    else this.#parts.push(bytes.map((byte) => (byte === 0x0a || byte === 0x0d ? space : byte)))
    return noBytes
  }

  end(): Uint8Array {
    const answer = concat(this.#parts)
    this.#parts = []
    return answer.every((byte) => byte === space) ? noBytes : concat([before, answer, after])
  }
}
