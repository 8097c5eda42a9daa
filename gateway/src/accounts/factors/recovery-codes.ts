import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import { sha256 } from '../../platform/store/seal'
import { base32 } from './totp'

const codes = 10
/** 80 bits, so that a plain hash cannot be searched, and codes outlive a change of the secret key. */
const codeBytes = 10

type Deps = Pick<Context, 'clock' | 'random'>

const bare = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()
const hashOf = (userId: number, code: string) => sha256(`recovery:${userId}:${bare(code)}`)

/** Creates new recovery codes that replace all earlier ones. Resolves with them as they are shown: `ABCD-EFGH-IJKL-MNOP`. */
export async function newRecoveryCodes(
  { clock, random }: Deps,
  userId: number,
  transaction: Transaction,
): Promise<string[]> {
  const created = Array.from({ length: codes }, () => base32(random.bytes(codeBytes)).replace(/.{4}(?=.)/g, '$&-'))
  const now = clock.seconds()
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await transaction
    .insertInto('recovery_codes')
    .values(
      created.map((code) => ({ code_hash: hashOf(userId, code), user_id: userId, created_at: now, used_at: null })),
    )
    .execute()
  return created
}

/** Uses up a recovery code. Resolves with whether it was valid. */
export async function takeRecoveryCode(
  { clock }: Deps,
  userId: number,
  code: string,
  transaction: Transaction,
): Promise<boolean> {
  const used = await transaction
    .updateTable('recovery_codes')
    .set({ used_at: clock.seconds() })
    .where('code_hash', '=', hashOf(userId, code))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}
