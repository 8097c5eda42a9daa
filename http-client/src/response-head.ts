/** How the end of a body is known: after this many bytes, by a last chunk, or because the connection ends. */
type BodyFraming = number | 'chunked' | 'until-close'

/** What a response says before its body. */
export interface ResponseHead {
  readonly status: number
  readonly headers: HeaderList
  readonly framing: BodyFraming
  /** Whether the connection may be reused once the response is complete. */
  readonly isReusable: boolean
}

/** The response is not HTTP/1.1, or contradicts itself. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse'
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: |$)/

/** Reads a head, without the empty line after it. @throws MalformedResponse. Source: RFC 9112, sections 2 to 6. */
export function readResponseHead(text: string): ResponseHead {
  const lineEnd = endOfLine(text, 0)
  const found = statusLine.exec(line(text, 0, lineEnd))
  if (!found) throw new MalformedResponse('The response is not HTTP/1.1')
  const status = Number(found[2])
  const headers = readHeaders(text, lineEnd + 1)
  const framing = framingOf(status, headers)
  return { status, headers, framing, isReusable: framing !== 'until-close' && isReusable(found[1] === '1', headers) }
}

function readHeaders(text: string, from: number): HeaderList {
  const headers = new HeaderList()
  for (let start = from; start < text.length;) {
    const end = endOfLine(text, start)
    const colon = text.indexOf(':', start)
    const name = text.slice(start, colon)
    if (colon < 0 || colon > end || !token.test(name))
      throw new MalformedResponse('Malformed header line in the response')
    headers.add(name, line(text, colon + 1, end).trim())
    start = end + 1
  }
  return headers
}

function framingOf(status: number, headers: HeaderList): BodyFraming {
  if (status < 200 || status === 204 || status === 304) return 0
  const coding = headers.get('transfer-encoding')
  if (coding !== null) {
    if (coding.toLowerCase() === 'chunked') return 'chunked'
    throw new MalformedResponse(`The transfer coding ${coding} is not known`)
  }
  const length = headers.get('content-length')
  if (length === null) return 'until-close'
  if (plainLength.test(length)) return Number(length)
  const [first = '', ...others] = length.split(',').map((part) => part.trim())
  if (!plainLength.test(first) || others.some((other) => other !== first))
    throw new MalformedResponse('Invalid Content-Length in the response')
  return Number(first)
}

const plainLength = /^\d{1,15}$/

function isReusable(isCurrentVersion: boolean, headers: HeaderList): boolean {
  // Chunks beside a length, or from a version that has none, can be read in two ways: nothing more is trusted on this connection.
  if (headers.has('transfer-encoding') && (!isCurrentVersion || headers.has('content-length'))) return false
  const connection = headers.get('connection')
  if (connection === null) return isCurrentVersion
  const options = connection.toLowerCase().split(',')
  const has = (name: string) => options.some((option) => option.trim() === name)
  return isCurrentVersion ? !has('close') : has('keep-alive')
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Without the carriage return, which not every server sends. */
const line = (text: string, start: number, end: number): string =>
  text.slice(start, text.charCodeAt(end - 1) === 0x0d ? end - 1 : end)

/** The header fields of a response. Names are case-insensitive; the values of one name are joined in one line, with commas. */
export class HeaderList {
  readonly #values = new Map<string, string>()

  add(name: string, value: string): void {
    const key = name.toLowerCase()
    const known = this.#values.get(key)
    this.#values.set(key, known === undefined ? value : `${known}, ${value}`)
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }
}
