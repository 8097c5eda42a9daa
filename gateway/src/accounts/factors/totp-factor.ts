import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { SealContext } from '../../platform/store/seal'
import { stepOfCode } from './totp'

type Deps = Pick<Context, 'clock' | 'seal'>

const sealContextOf = (userId: number): SealContext => `totp_factors.secret_sealed#${userId}`

export const sealedTotpSecret = ({ seal }: Deps, userId: number, secret: Uint8Array): string =>
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
