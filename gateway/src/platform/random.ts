export interface Random {
  /** At least 0 and below 1. */
  number(): number
  bytes(length: number): Uint8Array
}

export const systemRandom: Random = {
  number: () => Math.random(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}

/** Returns random bytes as two digits each. */
export const randomHex = (random: Pick<Random, 'bytes'>, bytes: number): string =>
  Buffer.from(random.bytes(bytes)).toString('hex')

/** Returns random bytes as letters, digits, `-` and `_`: a secret for an address, a header or a cookie. */
export const randomToken = (random: Pick<Random, 'bytes'>, bytes: number): string =>
  Buffer.from(random.bytes(bytes)).toString('base64url')
