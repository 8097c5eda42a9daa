/** Matches what a header's value may not contain: it would end it, or cannot be written. */
const unfit = /[^\t\x20-\x7e\x80-\xff]/
const name = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const beyondAscii = /[\x80-\xff]/

/**
 * Returns a POST request up to its body, and whether it is plain ASCII; otherwise it is written as Latin-1.
 * @throws TypeError for a header that cannot be sent.
 */
export function requestHead(
  { host, path }: { readonly host: string; readonly path: string },
  headers: Readonly<Record<string, string>>,
  bodyBytes: number,
): { readonly text: string; readonly isAscii: boolean } {
  let text = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n`
  for (const key in headers) {
    const value = headers[key] ?? ''
    if (!name.test(key) || unfit.test(value)) throw new TypeError(`The header ${JSON.stringify(key)} cannot be sent`)
    text += `${key}: ${value.trim()}\r\n`
  }
  text += `Content-Length: ${bodyBytes}\r\n\r\n`
  return { text, isAscii: !beyondAscii.test(text) }
}
