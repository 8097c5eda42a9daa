import { createHmac, timingSafeEqual } from 'node:crypto'

import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { SealContext } from '../../platform/store/seal'

/** What every authenticator app assumes: six digits of HMAC-SHA-1, a new code every 30 seconds. */
const stepSeconds = 30
const defaultDigits = 6
/** As long as the hash: https://www.rfc-editor.org/rfc/rfc4226#section-4 */
export const totpSecretBytes = 20
/** Clocks differ: the codes before and after the current one are accepted too. */
const drift = 1

/** https://www.rfc-editor.org/rfc/rfc4648#section-6, without padding. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('')
}

const bitsPerLetter = 5

/** Returns the bytes of a text in base32, with or without padding; null for an empty one and for other characters. */
export function base32Bytes(text: string): Uint8Array | null {
  const letters = text.toUpperCase().replace(/[\s-]/g, '')
  if (!/^[A-Z2-7]+=*$/.test(letters)) return null
  const digits = Array.from(letters.replaceAll('=', ''), (letter) => alphabet.indexOf(letter))
  const bits = digits.map((digit) => digit.toString(2).padStart(bitsPerLetter, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}

export const stepAt = (unixSeconds: number): number => Math.floor(unixSeconds / stepSeconds)

/** Returns the code of a time step: https://www.rfc-editor.org/rfc/rfc6238#section-4 */
export function totpCode(
  secret: Uint8Array,
  step: number,
  { algorithm = 'sha1', digits = defaultDigits }: { algorithm?: 'sha1' | 'sha256' | 'sha512'; digits?: number } = {},
): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac(algorithm, secret).update(counter).digest()
  const offset = hash.readUInt8(hash.length - 1) & 0xf
  const number = hash.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Returns the time step of a code, searching around the current one; null when it matches none. */
export function stepOfCode(secret: Uint8Array, code: string, unixSeconds: number): number | null {
  const enteredCode = Buffer.from(code.replace(/\s/g, ''))
  let found: number | null = null
  for (let step = stepAt(unixSeconds) - drift; step <= stepAt(unixSeconds) + drift; step += 1) {
    const expected = Buffer.from(totpCode(secret, step))
    if (enteredCode.length === expected.length && timingSafeEqual(enteredCode, expected)) found = step
  }
  return found
}

/** Returns the URI of the QR code for a new secret: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpUri(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer.replaceAll(':', ' '))}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer.replaceAll(':', ' '))}`
}

type Deps = Pick<Context, 'clock' | 'seal'>

const sealContextOf = (userId: number): SealContext => `totp_factors.secret_sealed#${userId}`

export const sealedTotpSecret = ({ seal }: Pick<Context, 'seal'>, userId: number, secret: Uint8Array): string =>
  seal.seal(Buffer.from(secret).toString('base64'), sealContextOf(userId))

const openedSecret = ({ seal }: Deps, userId: number, sealed: string): Uint8Array =>
  new Uint8Array(Buffer.from(seal.open(sealed, sealContextOf(userId)), 'base64'))

/**
 * Uses a code of the user's authenticator app. A time step is accepted once, and none before it afterwards. Resolves with whether it was
 * right.
 */
export async function takeTotpCode(
  parts: Deps,
  userId: number,
  code: string,
  transaction: Transaction,
): Promise<boolean> {
  const factor = await transaction
    .selectFrom('totp_factors')
    .select('secret_sealed')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!factor) return false
  const step = stepOfCode(openedSecret(parts, userId, factor.secret_sealed), code, parts.clock.seconds())
  if (step === null) return false
  const used = await transaction
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('secret_sealed', '=', factor.secret_sealed)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}

/** Stores a new, already sealed secret in place of the one before, if the code matches it. Resolves with whether it did. */
export async function keepTotp(
  parts: Deps,
  userId: number,
  { sealed, code }: { sealed: string; code: string },
  transaction: Transaction,
): Promise<boolean> {
  const step = stepOfCode(openedSecret(parts, userId, sealed), code, parts.clock.seconds())
  if (step === null) return false
  const values = { secret_sealed: sealed, last_step: step, created_at: parts.clock.seconds() }
  await transaction
    .insertInto('totp_factors')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  return true
}
