import type { Random } from '../../platform/random'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyLength = 48

/** Bytes from here on would make the first letters more likely. */
const fairBytes = 256 - (256 % letters.length)

/** Returns a new key: 48 random letters and digits. Never a dash, which separates the channel in `sk-<key>-<channel>`. */
export function newTokenKey(random: Random): string {
  let key = ''
  while (key.length < keyLength) {
    for (const byte of random.bytes(keyLength)) {
      if (byte < fairBytes && key.length < keyLength) key += letters.charAt(byte % letters.length)
    }
  }
  return key
}
