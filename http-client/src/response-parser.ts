import type { Bytes } from './response-body'
import { MalformedResponse, readResponseHead, type ResponseHead } from './response-head'

/** Receives what is read of a response. */
export interface ResponseSink {
  head(head: ResponseHead): void
  /** The next bytes of the body, without transfer framing. */
  body(bytes: Bytes): void
  /** The response is complete. Kept: its connection may be reused. */
  end(isKept: boolean): void
}

const maxHeadBytes = 128 * 1024
/** The line before a chunk, or one of a trailer. */
const maxLineBytes = 8 * 1024

type Stage = 'head' | 'counted' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'until-close' | 'over'

/** Reads one HTTP/1.1 response from bytes that may be split anywhere. */
export class ResponseParser {
  #stage: Stage = 'head'
  #isReusable = false
  /** Bytes left of the body or of the chunk. */
  #left = 0
  /** The beginning of a head or line that is not complete yet. */
  #incomplete: Buffer<ArrayBuffer> | null = null
  #trailerBytes = 0

  constructor(private readonly sink: ResponseSink) {}

  /** @throws MalformedResponse, after which nothing more may be pushed. */
  push(bytes: Buffer<ArrayBuffer>): void {
    const only = this.#stage === 'chunk-size' && !this.#incomplete ? onlyChunk(bytes) : null
    if (only) return this.sink.body(only)
    const pieces: Bytes[] = []
    let at = 0
    while (at < bytes.length && this.#stage !== 'over') at = this.#step(bytes, at, pieces)
    if (pieces.length > 0) this.sink.body(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces))
    // No request was made that the following bytes could respond to.
    if (this.#stage === 'over') this.sink.end(this.#isReusable && at === bytes.length)
  }

  /** Called when the connection ended. @throws MalformedResponse when the response is incomplete. */
  close(): void {
    if (this.#stage === 'over') return
    if (this.#stage !== 'until-close') throw new MalformedResponse('The connection ended before the response')
    this.#stage = 'over'
    this.sink.end(false)
  }

  /** Reads on from an index; returns the next one. */
  #step(bytes: Buffer<ArrayBuffer>, at: number, pieces: Bytes[]): number {
    switch (this.#stage) {
      case 'head':
        return this.#head(bytes, at)
      case 'counted':
      case 'chunk':
        return this.#readCounted(bytes, at, pieces)
      case 'until-close':
        pieces.push(partOf(bytes, at, bytes.length))
        return bytes.length
      default:
        return this.#line(bytes, at)
    }
  }

  #head(bytes: Buffer<ArrayBuffer>, at: number): number {
    const before = this.#incomplete?.length ?? 0
    const all = this.#incomplete
      ? Buffer.concat([this.#incomplete, bytes.subarray(at)])
      : at === 0
        ? bytes
        : bytes.subarray(at)
    const end = endOfHead(all, Math.max(before - 3, 0))
    if ((end?.next ?? all.length) > maxHeadBytes) throw new MalformedResponse('The head of the response is too long')
    if (!end) {
      this.#incomplete = all
      return bytes.length
    }
    this.#incomplete = null
    const head = readResponseHead(all.toString('latin1', 0, end.at))
    if (head.status === 101) throw new MalformedResponse('The response switches protocols')
    // An interim response, such as early hints, is skipped.
    if (head.status >= 200) this.#begin(head)
    return at + end.next - before
  }

  #begin(head: ResponseHead) {
    this.#isReusable = head.isReusable
    if (typeof head.framing === 'number') {
      this.#left = head.framing
      this.#stage = head.framing === 0 ? 'over' : 'counted'
    } else this.#stage = head.framing === 'chunked' ? 'chunk-size' : 'until-close'
    this.sink.head(head)
  }

  #readCounted(bytes: Buffer<ArrayBuffer>, at: number, pieces: Bytes[]): number {
    const end = Math.min(at + this.#left, bytes.length)
    pieces.push(partOf(bytes, at, end))
    this.#left -= end - at
    if (this.#left === 0) this.#stage = this.#stage === 'chunk' ? 'chunk-end' : 'over'
    return end
  }

  /** Reads a line of the transfer framing. */
  #line(bytes: Buffer<ArrayBuffer>, at: number): number {
    const end = bytes.indexOf(0x0a, at)
    const length = (this.#incomplete?.length ?? 0) + (end < 0 ? bytes.length : end) - at
    if (length > maxLineBytes) throw new MalformedResponse('A line of the transfer is too long')
    if (end < 0) {
      const rest = bytes.subarray(at)
      this.#incomplete = this.#incomplete ? Buffer.concat([this.#incomplete, rest]) : rest
      return bytes.length
    }
    if (this.#incomplete) this.#lineRead(Buffer.concat([this.#incomplete, bytes.subarray(at, end)]), 0, length)
    else this.#lineRead(bytes, at, end)
    this.#incomplete = null
    return end + 1
  }

  #lineRead(bytes: Buffer<ArrayBuffer>, start: number, lineEnd: number) {
    const end = lineEnd > start && bytes[lineEnd - 1] === 0x0d ? lineEnd - 1 : lineEnd
    if (this.#stage === 'chunk-size') {
      this.#left = chunkSize(bytes, start, end)
      this.#stage = this.#left === 0 ? 'trailer' : 'chunk'
    } else if (this.#stage === 'chunk-end') {
      if (end !== start) throw new MalformedResponse('A chunk is longer than it says')
      this.#stage = 'chunk-size'
    } else {
      this.#trailerBytes += end - start
      if (this.#trailerBytes > maxHeadBytes) throw new MalformedResponse('The trailer of the response is too long')
      if (end === start) this.#stage = 'over'
    }
  }
}

/** Copying a small part is cheaper than a view of it. */
const smallBytes = 4096

function partOf(bytes: Buffer<ArrayBuffer>, start: number, end: number): Bytes {
  if (start === 0 && end === bytes.length) return bytes
  if (end - start > smallBytes) return bytes.subarray(start, end)
  return Buffer.copyBytesFrom(bytes, start, end - start)
}

/** Returns where a head ends, and where what follows begins. Some servers end their lines without a carriage return. */
function endOfHead(bytes: Buffer<ArrayBuffer>, from: number): { at: number; next: number } | null {
  const firstLine = bytes.indexOf(0x0a)
  if (firstLine < 0) return null
  const emptyLine = bytes[firstLine - 1] === 0x0d ? '\r\n\r\n' : '\n\n'
  const at = bytes.indexOf(emptyLine, from)
  return at < 0 ? null : { at, next: at + emptyLine.length }
}

/** Returns the content when these bytes are exactly one whole chunk, as is usual in a stream; otherwise null. */
function onlyChunk(bytes: Buffer<ArrayBuffer>): Bytes | null {
  let size = 0
  let at = 0
  for (let digit = hexDigit(bytes[at] ?? 0); digit >= 0 && at < 8; digit = hexDigit(bytes[(at += 1)] ?? 0))
    size = size * 16 + digit
  const [start, end] = [at + 2, at + 2 + size]
  const isWhole = size > 0 && end + 2 === bytes.length && isLineEnd(bytes, at) && isLineEnd(bytes, end)
  return isWhole ? partOf(bytes, start, end) : null
}

const isLineEnd = (bytes: Uint8Array, at: number): boolean => bytes[at] === 0x0d && bytes[at + 1] === 0x0a

/** Parses a hexadecimal number; chunk extensions are ignored. */
function chunkSize(bytes: Buffer<ArrayBuffer>, start: number, end: number): number {
  let size = 0
  let at = start
  for (; at < end; at += 1) {
    const digit = hexDigit(bytes[at] ?? 0)
    if (digit < 0) break
    size = size * 16 + digit
  }
  const next = at < end ? bytes[at] : 0x3b
  const isSeparated = next === 0x3b || next === 0x20 || next === 0x09
  if (at === start || at - start > 12 || !isSeparated) throw new MalformedResponse('Invalid chunk size in the response')
  return size
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
