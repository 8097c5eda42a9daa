/** One HTTP/1.1 request as it came over the wire. Header names are lower-case; the last of equal names wins. */
export interface WireRequest {
  readonly method: string
  /** Path with its query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The client sent something that is not HTTP/1.1. */
export class WireError extends Error {}

const headEnd = Buffer.from('\r\n\r\n')
const emptyBuffer = Buffer.alloc(0)

/**
 * Cuts a byte stream into requests. Push what arrives, then take requests until there is none.
 * @throws WireError when the bytes are not HTTP/1.1.
 */
export class RequestReader {
  /** After `next` gave none: the client waits for leave to send its body. */
  isAwaitingContinue = false
  #pending: Buffer = emptyBuffer
  /** What came after `#pending`; joined only when it may complete a request, so that large bodies are copied once. */
  #later: Buffer[] = []
  #size = 0
  /** Bytes below which no request can be complete. */
  #needed = 0

  push(bytes: Buffer): void {
    this.#later.push(Buffer.from(bytes))
    this.#size += bytes.length
  }

  next(): WireRequest | null {
    this.isAwaitingContinue = false
    if (this.#size < this.#needed) return null
    const bytes = this.#joinPending()
    const end = bytes.indexOf(headEnd)
    if (end < 0) return null
    const head = parseHead(bytes.toString('latin1', 0, end))
    const start = end + headEnd.length
    const isChunked = head.headers['transfer-encoding']?.toLowerCase().includes('chunked')
    const length = isChunked ? 0 : lengthOf(head.headers['content-length'])
    this.#needed = start + length
    this.isAwaitingContinue = this.#size === start && head.headers['expect']?.toLowerCase() === '100-continue'
    if (this.#size < this.#needed) return null
    const body = isChunked
      ? readChunks(bytes, start)
      : { bytes: bytes.subarray(start, this.#needed), end: this.#needed }
    if (body === null) return null
    this.#pending = bytes.subarray(body.end)
    this.#size = this.#pending.length
    this.#needed = 0
    return { ...head, body: body.bytes }
  }

  #joinPending(): Buffer {
    if (this.#later.length === 0) return this.#pending
    const [first = emptyBuffer] = this.#later
    const isAlone = this.#pending.length === 0 && this.#later.length === 1
    this.#pending = isAlone ? first : Buffer.concat([this.#pending, ...this.#later])
    this.#later = []
    return this.#pending
  }
}

function parseHead(text: string): Omit<WireRequest, 'body'> {
  const lines = text.split('\r\n')
  const [method, target, version] = (lines[0] ?? '').split(' ')
  if (!method || !target || !version?.startsWith('HTTP/1.')) throw new WireError('The request line is not HTTP/1.1')
  const headers: Record<string, string> = Object.create(null)
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const colon = line.indexOf(':')
    if (colon <= 0) throw new WireError('A header line has no name')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { method, target, headers }
}

interface Body {
  bytes: Buffer
  /** Where the next request begins. */
  end: number
}

function lengthOf(text: string | undefined): number {
  if (text === undefined) return 0
  if (!/^\d{1,12}$/.test(text)) throw new WireError('The content length is not a number')
  return Number(text)
}

function readChunks(bytes: Buffer, start: number): Body | null {
  const chunks: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!(size >= 0)) throw new WireError('A chunk has no size')
    const next = lineEnd + 2 + size
    if (bytes.length < next + 2) return null
    if (size === 0) return { bytes: Buffer.concat(chunks), end: next + 2 }
    chunks.push(bytes.subarray(lineEnd + 2, next))
    at = next + 2
  }
}
