import type { FactorProof } from '@tollgate/contract'

import { takeRecoveryCode } from '../../accounts/factors/recovery-codes'
import { takeTotpCode } from '../../accounts/factors/totp'
import { AppError } from '../../platform/app-error'
import { databaseLimiter } from '../limits/database-limiter'
import type { Limit } from '../limits/limiter'
import type { Transaction } from '../../platform/store/database'
import type { Call } from '../handler'
import { takePasskey } from './passkey-proof'

type ProvingCall = Pick<Call, 'ctx' | 'request' | 'isSecure'>

/**
 * Six digits can be guessed: the number of wrong ones for an account, wherever they come from. Recovery codes and passkeys cannot be, and
 * still let the owner in.
 */
const wrongCodes: Limit = { points: 10, durationSeconds: 3600 }

export interface Proving {
  readonly userId: number
  readonly proof: FactorProof
  /** The challenge that a passkey must answer. */
  readonly challenge: string
}

/**
 * Counts a guess at the digits of an authenticator app before it is checked; `act` may run in a transaction that is rolled back.
 * @throws AppError `rate.limited`, and what `act` throws.
 */
export async function limitCodes<Result>(
  { ctx }: ProvingCall,
  { userId, proof }: Pick<Proving, 'userId' | 'proof'>,
  act: () => Promise<Result>,
): Promise<Result> {
  if (proof.kind !== 'totp') return act()
  const limiter = databaseLimiter(ctx.database, ctx.clock)
  const key = `second-factor:${userId}`
  const { allowed, retryAfterSeconds } = await limiter.consume(key, wrongCodes)
  if (!allowed) throw new AppError('rate.limited', { params: { seconds: retryAfterSeconds }, retryAfterSeconds })
  const result = await act()
  await limiter.restore(key, wrongCodes)
  return result
}

/** Checks the proof of a user and uses it up. @throws AppError `factor.wrong`, `passkey.failed`, `passkey.no_address`. */
export async function proveFactor(
  call: ProvingCall,
  { userId, proof, challenge }: Proving,
  transaction: Transaction,
): Promise<void> {
  if (proof.kind === 'passkey') {
    const owner = await takePasskey(call, { challenge, passkeyResponse: proof.answer }, transaction)
    if (owner !== userId) throw new AppError('passkey.failed')
    return
  }
  const take = proof.kind === 'totp' ? takeTotpCode : takeRecoveryCode
  if (!(await take(call.ctx, userId, proof.code, transaction))) throw new AppError('factor.wrong')
}
