import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import { flowKinds, type FlowHolder, type FlowPayload, type FlowPurpose } from './flow-kinds'
import { newSecret, secretHash } from './flow-secret'

type Deps = Pick<Context, 'database' | 'clock' | 'random' | 'seal'>

export type NewFlow<Purpose extends FlowPurpose> = FlowHolder<Purpose> & { readonly payload: FlowPayload<Purpose> }

/**
 * Creates a flow. Resolves with its secret, of which only a keyed hash is stored.
 * @throws Error if the flow is bound to a browser and none is given.
 */
export async function createFlow<Purpose extends FlowPurpose>(
  parts: Deps,
  purpose: Purpose,
  { subject, browser, payload }: NewFlow<Purpose>,
  query: Queries | Transaction = parts.database.query,
): Promise<string> {
  const kind = flowKinds[purpose]
  if (kind.isBrowserBound && !browser) throw new Error(`A flow for ${purpose} is bound to a browser`)
  const now = parts.clock.seconds()
  for (;;) {
    const secret = newSecret(kind, parts.random)
    const created = await query
      .insertInto('flows')
      .values({
        secret_hash: secretHash(parts.seal, purpose, subject, browser ?? '', secret),
        purpose,
        subject,
        browser_hash: browser ?? '',
        payload: JSON.stringify(payload),
        created_at: now,
        expires_at: now + kind.seconds,
        used_at: null,
      })
      // The same code for the same subject: one in a million.
      .onConflict((conflict) => conflict.column('secret_hash').doNothing())
      .returning('secret_hash')
      .executeTakeFirst()
    if (created) return secret
  }
}

/** Ends all unused flows of a subject, once one of them has served its purpose. */
export async function endFlows(
  { clock }: Pick<Context, 'clock'>,
  purpose: FlowPurpose,
  subject: string,
  transaction: Transaction,
): Promise<void> {
  await transaction
    .updateTable('flows')
    .set({ used_at: clock.seconds() })
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('used_at', 'is', null)
    .execute()
}
