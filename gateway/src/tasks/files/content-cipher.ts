import { createCipheriv, createDecipheriv, type Cipheriv, type Decipheriv } from 'node:crypto'

import type { Random } from '../../platform/random'

const keyLength = 32
const nonceLength = 12
const tagLength = 16
/** How many bytes more than the content are kept of each piece. */
export const contentOverhead = nonceLength + tagLength
const algorithm = 'aes-256-gcm'

/** Returns the text of a new key for one file or batch, to be sealed: a change of the secret seals this text anew, and leaves the bytes alone. */
export const newContentKey = (random: Pick<Random, 'bytes'>): string =>
  Buffer.from(random.bytes(keyLength)).toString('base64url')

/** AES-256-GCM for bytes that are too many to be sealed anew. */
export class ContentCipher {
  readonly #key: Uint8Array

  constructor(
    key: string,
    private readonly random: Pick<Random, 'bytes'>,
  ) {
    this.#key = Buffer.from(key, 'base64url')
  }

  /** `place` binds the bytes to where they are kept: they cannot be decrypted elsewhere. */
  encrypt(plain: Uint8Array, place: string): Buffer<ArrayBuffer> {
    const nonce = this.random.bytes(nonceLength)
    const cipher = createCipheriv(algorithm, this.#key, nonce)
    cipher.setAAD(Buffer.from(place))
    const content = Buffer.allocUnsafe(contentOverhead + plain.byteLength)
    content.set(nonce)
    transform(cipher, plain, content.subarray(nonceLength))
    content.set(cipher.getAuthTag(), nonceLength + plain.byteLength)
    return content
  }

  /** @throws Error for bytes that were encrypted with another key or for another place, or changed since. */
  decrypt(content: Uint8Array, place: string): Buffer<ArrayBuffer> {
    const decipher = createDecipheriv(algorithm, this.#key, content.subarray(0, nonceLength))
    decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(content.subarray(-tagLength))
    const plain = Buffer.allocUnsafe(Math.max(0, content.byteLength - contentOverhead))
    transform(decipher, content.subarray(nonceLength, -tagLength), plain)
    return plain
  }
}

/** A result of the cipher is a buffer of its own: short ones are gone before the collector sees them twice. */
const bytesAtOnce = 64 * 1024

/** Writes what the cipher makes of these bytes, which has the same length. */
function transform(cipher: Cipheriv | Decipheriv, from: Uint8Array, to: Uint8Array): void {
  for (let at = 0; at < from.byteLength; at += bytesAtOnce)
    to.set(cipher.update(from.subarray(at, at + bytesAtOnce)), at)
  cipher.final()
}
