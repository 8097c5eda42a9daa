import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Encryption at rest for channel keys, API keys and option secrets. */
export interface Seal {
  seal(plain: string): string
  /** @throws Error when the text was sealed with another key or changed since. */
  open(sealed: string): string
  /** A short text that only who has the key can make of these parts. */
  sign(purpose: string, ...parts: readonly (string | number)[]): string
}

const version = 'v1.'
const nonceLength = 12
const tagLength = 16

/** AES-256-GCM under a key derived from the operator's secret. */
export function createSeal(secretKey: Uint8Array): Seal {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, 'tollgate', 'at-rest', 32))
  const signingKey = new Uint8Array(hkdfSync('sha256', secretKey, 'tollgate', 'signing', 32))
  return {
    sign: (purpose, ...parts) =>
      createHmac('sha256', signingKey)
        .update(JSON.stringify([purpose, ...parts]))
        .digest('base64url'),
    seal(plain) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const parts = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return version + Buffer.concat(parts).toString('base64url')
    },
    open(sealed) {
      if (!sealed.startsWith(version)) throw new Error('Not a sealed text')
      const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength))
      decipher.setAuthTag(bytes.subarray(-tagLength))
      const plain = decipher.update(bytes.subarray(nonceLength, -tagLength))
      return Buffer.concat([plain, decipher.final()]).toString('utf8')
    },
  }
}

/** SHA-256 in hex: how keys, sessions and access tokens are looked up. */
export const sha256 = (text: string): string => Bun.SHA256.hash(text, 'hex')
