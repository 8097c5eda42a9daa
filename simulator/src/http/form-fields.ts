import type { JsonObject } from '../json'

/** Returns the fields of a form, a file as its size in bytes; undefined for any other body. */
export function formFields(contentType: string, body: Buffer): JsonObject | undefined {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (boundary === undefined) return undefined
  const parts = body.toString('latin1').split(`--${boundary}`)
  return Object.fromEntries(parts.flatMap((part) => fieldIn(part)))
}

function fieldIn(part: string): [string, unknown][] {
  const end = part.indexOf('\r\n\r\n')
  const head = part.slice(0, end)
  const name = /\bname="([^"]*)"/.exec(head)?.[1]
  if (end < 0 || name === undefined) return []
  const value = part.slice(end + 4, -2)
  const isFile = head.includes('filename=')
  return [[name, isFile ? { bytes: value.length } : Buffer.from(value, 'latin1').toString('utf8')]]
}
