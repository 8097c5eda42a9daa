import type { Random } from '../../platform/random'
import type { Seal } from '../../platform/store/seal'
import type { FlowKind } from './flow-kinds'

const tokenBytes = 32
const codeDigits = 6

/** Returns a new secret: `WyN0…`, or `042817`. */
export function newSecret({ secret }: Pick<FlowKind, 'secret'>, random: Random): string {
  if (secret === 'token') return Buffer.from(random.bytes(tokenBytes)).toString('base64url')
  // 2^48 is so much larger than a million that the bias of the remainder does not matter.
  const number = Buffer.from(random.bytes(6)).readUIntBE(0, 6)
  return String(number % 10 ** codeDigits).padStart(codeDigits, '0')
}

/**
 * Returns the hash that is stored of a secret. It is keyed, because a reader of the database could try a million codes in a
 * second, and covers the purpose, so that a secret is useless for another one.
 */
export const secretHash = (
  seal: Pick<Seal, 'sign'>,
  ...parts: readonly [purpose: string, subject: string, browser: string, secret: string]
): string => seal.sign('one-time-flow', ...parts)
