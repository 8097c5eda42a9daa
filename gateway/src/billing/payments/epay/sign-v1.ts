import { createHash, timingSafeEqual } from 'node:crypto'

export type Parameters = Readonly<Record<string, string>>

/** Returns what signatures cover: every parameter with a value except the signature, by name, not encoded. */
export const signedText = (parameters: Parameters): string =>
  Object.entries(parameters)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/** Returns the signature of version 1: the MD5 of the parameters with the merchant's key appended. */
export const signV1 = (parameters: Parameters, key: string): string =>
  createHash('md5').update(signedText(parameters)).update(key).digest('hex')

/** Verifies a signature of version 1 in constant time. Without a key all are wrong. */
export function verifyV1(parameters: Parameters, key: string): boolean {
  if (key === '') return false
  const expected = Buffer.from(signV1(parameters, key))
  const received = Buffer.from((parameters['sign'] ?? '').toLowerCase())
  return received.length === expected.length && timingSafeEqual(received, expected)
}
