import { createHash, createPrivateKey, createPublicKey, sign, timingSafeEqual, verify } from 'node:crypto'

export type Parameters = Readonly<Record<string, string>>

/** Returns what signatures cover: every parameter with a value except the signature, by name, not encoded. */
const signedText = (parameters: Parameters): string =>
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

/** Keys are entered as PEM, or as services show them: only the base64 of the DER. */
const der = (key: string): Buffer => Buffer.from(key.replace(/-----[^-]+-----/g, '').replace(/\s/g, ''), 'base64')

const isPkcs1 = (key: string, kind: 'PRIVATE' | 'PUBLIC') => key.includes(`-----BEGIN RSA ${kind} KEY-----`)

const privateKeyOf = (key: string) =>
  createPrivateKey({ key: der(key), format: 'der', type: isPkcs1(key, 'PRIVATE') ? 'pkcs1' : 'pkcs8' })

const publicKeyOf = (key: string) =>
  createPublicKey({ key: der(key), format: 'der', type: isPkcs1(key, 'PUBLIC') ? 'pkcs1' : 'spki' })

/**
 * Returns the signature of version 2: RSA with SHA-256 over the same text as version 1, without a key at its end.
 * @throws Error when the key cannot be read.
 */
export const signV2 = (parameters: Parameters, privateKey: string): string =>
  sign('sha256', Buffer.from(signedText(parameters)), privateKeyOf(privateKey)).toString('base64')

/** Verifies the platform's signature of version 2. Without a readable key all are wrong. */
export function verifyV2(parameters: Parameters, platformKey: string): boolean {
  const { sign: received = '', sign_type: signType } = parameters
  if (platformKey === '' || received === '' || signType !== 'RSA') return false
  try {
    const text = Buffer.from(signedText(parameters))
    return verify('sha256', text, publicKeyOf(platformKey), Buffer.from(received, 'base64'))
  } catch {
    return false
  }
}
