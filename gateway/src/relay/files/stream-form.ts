import { lineEnd, maxHeaderBytes, MalformedForm, readHeaders, type FormPart } from '../admission/cut-form'

/** What comes next in a form: a part begins, or bytes of the part that began last. */
export type FormEvent = { readonly part: Omit<FormPart, 'bytes'> } | { readonly bytes: Buffer<ArrayBuffer> }

/** More than any call needs. */
const maxParts = 64
const headersEnd = '\r\n\r\n'
const closing = '--'

/**
 * Cuts a multipart body as it arrives, so that its files take no memory. As strict as `cutForm`. Bytes are views, valid until the next event.
 * @throws MalformedForm
 */
export async function* streamForm(
  pieces: AsyncIterator<Uint8Array<ArrayBuffer>>,
  boundary: string,
): AsyncGenerator<FormEvent, void> {
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`, 'latin1')
  // The first boundary has no line before it.
  let rest: Buffer<ArrayBuffer> = Buffer.from(lineEnd, 'latin1')
  const readMore = async () => {
    const { done, value } = await pieces.next()
    if (done) throw new MalformedForm('The form has no end')
    rest =
      rest.byteLength === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        : Buffer.concat([rest, value])
  }
  const skip = (bytes: number) => void (rest = rest.subarray(bytes))

  while (rest.byteLength < delimiter.length) await readMore()
  if (!rest.subarray(0, delimiter.length).equals(delimiter))
    throw new MalformedForm('The form does not begin with its boundary')
  skip(delimiter.length)
  for (let count = 0; ; count += 1) {
    while (rest.byteLength < closing.length) await readMore()
    if (rest.toString('latin1', 0, closing.length) === closing) return
    if (count === maxParts) throw new MalformedForm('The form has too many parts')
    let end = rest.indexOf(headersEnd)
    while (end < 0) {
      if (rest.byteLength > maxHeaderBytes) throw new MalformedForm('The headers of a part have no end')
      await readMore()
      end = rest.indexOf(headersEnd)
    }
    const line = rest.indexOf(lineEnd)
    if (rest.toString('latin1', 0, line).trim() !== '')
      throw new MalformedForm('A boundary of the form does not end its line')
    yield { part: readHeaders(rest.toString('utf8', line + lineEnd.length, end)) }
    skip(end + headersEnd.length)
    for (;;) {
      const at = rest.indexOf(delimiter)
      const known = at >= 0 ? at : knownBytes(rest, delimiter)
      if (known > 0) yield { bytes: rest.subarray(0, known) }
      skip(known)
      if (at >= 0) break
      await readMore()
    }
    skip(delimiter.length)
  }
}

/**
 * Returns how many bytes are of the part for certain. What may be the beginning of a boundary waits for its end; mostly that is nothing, and what
 * comes next need not be copied behind it.
 */
function knownBytes(rest: Buffer, delimiter: Buffer): number {
  const from = Math.max(0, rest.byteLength - delimiter.length + 1)
  const begins = rest.indexOf(lineEnd.charAt(0), from)
  return begins < 0 ? rest.byteLength : begins
}
