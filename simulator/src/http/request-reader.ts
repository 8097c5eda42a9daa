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
const nothing = Buffer.alloc(0)

/**
 * Cuts a byte stream into requests. Push what arrives, then take requests until there is none.
 * @throws WireError when the bytes are not HTTP/1.1.
 */
export class RequestReader {
  #pending: Buffer = nothing

  push(bytes: Buffer): void {
    this.#pending = this.#pending.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#pending, bytes])
  }

  /** The client waits for leave to send its body. */
  get wantsContinue(): boolean {
    const end = this.#pending.indexOf(headEnd)
    if (end < 0 || this.#pending.length > end + headEnd.length) return false
    return /^expect: *100-continue/im.test(this.#pending.toString('latin1', 0, end))
  }

  next(): WireRequest | null {
    const end = this.#pending.indexOf(headEnd)
    if (end < 0) return null
    const head = parseHead(this.#pending.toString('latin1', 0, end))
    const start = end + headEnd.length
    const body = head.headers['transfer-encoding']?.toLowerCase().includes('chunked')
      ? readChunks(this.#pending, start)
      : readLength(this.#pending, start, head.headers['content-length'])
    if (body === null) return null
    this.#pending = this.#pending.subarray(body.end)
    return { ...head, body: body.bytes }
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

function readLength(bytes: Buffer, start: number, length: string | undefined): Body | null {
  if (length === undefined) return { bytes: nothing, end: start }
  if (!/^\d{1,12}$/.test(length)) throw new WireError('The content length is not a number')
  const end = start + Number(length)
  return bytes.length < end ? null : { bytes: bytes.subarray(start, end), end }
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
