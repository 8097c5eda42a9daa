import { FormFile, type JsonObject } from '@tollgate/dialects'

/** A form, ready to be sent. */
export interface WrittenForm {
  readonly contentType: string
  /** In order. The files are the very bytes of the client's request. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[]
}

const encoder = new TextEncoder()

/** Writes the members of a body as `multipart/form-data`, a list as one field for each of its items. Source: RFC 7578. */
export function writeForm(body: JsonObject, boundary: string = `tollgate-${crypto.randomUUID()}`): WrittenForm {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let text = ''
  for (const [name, value] of Object.entries(body).flatMap(fieldsOf)) {
    text += `--${boundary}\r\nContent-Disposition: form-data; name="${escapeParameter(name)}"`
    if (value instanceof FormFile) {
      text += `; filename="${escapeParameter(value.filename)}"\r\nContent-Type: ${typeOf(value)}\r\n\r\n`
      pieces.push(encoder.encode(text), value.bytes)
      text = '\r\n'
    } else text += `\r\n\r\n${textOf(value)}\r\n`
  }
  pieces.push(encoder.encode(`${text}--${boundary}--\r\n`))
  return { contentType: `multipart/form-data; boundary=${boundary}`, pieces }
}

/** Empty values are left out. */
function fieldsOf([name, value]: [string, unknown]): readonly (readonly [string, unknown])[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((item) => item !== null && item !== undefined).map((item) => [name, item])
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const escapes: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }
const escapeParameter = (text: string): string => text.replaceAll(/["\r\n]/g, (character) => escapes[character] ?? '')

/** The client's text must not end the header that it is written into. */
const typeOf = ({ type }: FormFile): string => (/^[\x20-\x7e]+$/.test(type) ? type : 'application/octet-stream')
