/** A part of a form as it stands in the body. */
export interface FormPart {
  readonly name: string
  /** Null: a text field. */
  readonly filename: string | null
  /** Empty when the part names none. */
  readonly type: string
  /** A view of the body. */
  readonly bytes: Buffer<ArrayBuffer>
}

/** The body is not a form, or not one that clients send. */
export class MalformedForm extends Error {
  override readonly name = 'MalformedForm'
}

/** More than any call needs. */
const maxParts = 256
/** Headers of one part. */
export const maxHeaderBytes = 8 * 1024

export const lineEnd = '\r\n'
const headersEnd = Buffer.from('\r\n\r\n')
const dash = 0x2d

/**
 * Cuts a multipart body into its parts, without copying any. Stricter than RFC 2046, as clients are: nothing stands before the
 * first boundary, and parts are not nested.
 * @throws MalformedForm
 */
export function cutForm(body: Buffer<ArrayBuffer>, boundary: string): FormPart[] {
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`, 'latin1')
  const parts: FormPart[] = []
  let at = startOf(body, delimiter)
  for (;;) {
    if (body[at] === dash && body[at + 1] === dash) return parts
    if (parts.length === maxParts) throw new MalformedForm('The form has too many parts')
    const headersAt = afterPadding(body, at)
    const headersLength = body.subarray(headersAt, headersAt + maxHeaderBytes).indexOf(headersEnd)
    if (headersLength < 0) throw new MalformedForm('The headers of a part have no end')
    const start = headersAt + headersLength + headersEnd.length
    const end = endOf(body, delimiter, start)
    const headers = body.toString('utf8', headersAt, headersAt + headersLength)
    parts.push({ ...readHeaders(headers), bytes: body.subarray(start, end) })
    at = end + delimiter.length
  }
}

/** Returns what follows the first boundary, which has no line before it. */
function startOf(body: Buffer, delimiter: Buffer): number {
  const skipped = body.subarray(0, lineEnd.length).toString('latin1') === lineEnd ? 0 : lineEnd.length
  const isThere = body.subarray(0, delimiter.length - skipped).equals(delimiter.subarray(skipped))
  if (!isThere) throw new MalformedForm('The form does not begin with its boundary')
  return delimiter.length - skipped
}

/** Returns the beginning of the line after a boundary, behind which only spaces may stand. */
function afterPadding(body: Buffer, from: number): number {
  let at = from
  while (body[at] === 0x20 || body[at] === 0x09) at += 1
  if (body.toString('latin1', at, at + lineEnd.length) !== lineEnd)
    throw new MalformedForm('A boundary of the form does not end its line')
  return at + lineEnd.length
}

function endOf(body: Buffer, delimiter: Buffer, start: number): number {
  const end = body.indexOf(delimiter, start)
  if (end < 0) throw new MalformedForm('The form has no end')
  return end
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const controlCharacter = /[^\P{Cc}\t]/u

/** @throws MalformedForm. Source: RFC 7578, section 4. */
export function readHeaders(text: string): Omit<FormPart, 'bytes'> {
  const headers = new Map<string, string>()
  for (const line of text.split(lineEnd)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    const isMalformed = !headerName.test(name) || controlCharacter.test(line)
    if (isMalformed || headers.has(name)) throw new MalformedForm('A header of a part is malformed')
    headers.set(name, line.slice(colon + 1).trim())
  }
  const type = headers.get('content-type') ?? ''
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (/^multipart\//i.test(type)) throw new MalformedForm('The parts of a form cannot be nested')
  if (!plainEncodings.has(encoding)) throw new MalformedForm('A part of the form is encoded')
  return { ...readDisposition(headers.get('content-disposition') ?? ''), type }
}

const plainEncodings: ReadonlySet<string> = new Set(['binary', '8bit', '7bit'])

const disposition = /^form-data[ \t]*(?=;)/i
const parameter = /;[ \t]*([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/iy

function readDisposition(text: string): Pick<FormPart, 'name' | 'filename'> {
  const found = new Map<string, string>()
  let at = disposition.exec(text)?.[0].length ?? text.length
  while (at < text.length) {
    parameter.lastIndex = at
    const [whole, key = '', quoted, bare = ''] = parameter.exec(text) ?? []
    if (whole === undefined || found.has(key.toLowerCase())) throw new MalformedForm('A part has an unreadable name')
    found.set(key.toLowerCase(), quoted === undefined ? bare : unescapeName(quoted))
    at += whole.length
  }
  const name = found.get('name') ?? ''
  if (name === '') throw new MalformedForm('A part of the form has no name')
  return { name, filename: found.get('filename') ?? null }
}

/** Browsers escape quotes and line ends by percent signs, other clients quotes by backslashes. */
const unescapeName = (text: string): string =>
  text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll(/%(?:22|0D|0A)/gi, (escape) => String.fromCharCode(parseInt(escape.slice(1), 16)))

const mediaType = /^multipart\/form-data[ \t]*(?=;|$)/i
const boundaryParameter = /;[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))[ \t]*(?:;|$)/i

/** Returns the boundary that a content type names; null when it is not that of a form. @throws MalformedForm without a boundary. */
export function boundaryOf(contentType: string): string | null {
  if (!mediaType.test(contentType)) return null
  const [, quoted, bare] = boundaryParameter.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined || /[^\x20-\x7e]/.test(boundary)) throw new MalformedForm('The form has no boundary')
  return boundary
}
