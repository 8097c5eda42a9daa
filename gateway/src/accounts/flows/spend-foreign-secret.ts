import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { flowKinds, type FlowPurpose } from './flow-kinds'
import { secretHash } from './flow-secret'

type Deps = Pick<Context, 'database' | 'clock' | 'seal'>

/** A secret issued by another service, and its subject. */
interface ForeignSecret {
  readonly subject: string
  readonly secret: string
}

/**
 * Uses up a secret that another service issued. Of concurrent uses one succeeds; it is remembered for the kind's lifetime.
 * @throws AppError the kind's refusal if it was used before.
 */
export async function spendForeignSecret(
  { database, clock, seal }: Deps,
  purpose: FlowPurpose,
  { subject, secret }: ForeignSecret,
): Promise<void> {
  const { seconds, refusal } = flowKinds[purpose]
  const now = clock.seconds()
  const times = { created_at: now, expires_at: now + seconds, used_at: now }
  const used = await database.query
    .insertInto('flows')
    .values({
      secret_hash: secretHash(seal, purpose, subject, '', secret),
      purpose,
      subject,
      browser_hash: '',
      payload: '{}',
      ...times,
    })
    .onConflict((conflict) => conflict.column('secret_hash').doUpdateSet(times).where('flows.expires_at', '<=', now))
    .returning('secret_hash')
    .executeTakeFirst()
  if (!used) throw new AppError(refusal)
}
