import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import { flowKinds, type FlowHolder, type FlowKind, type FlowPayload, type FlowPurpose } from './flow-kinds'
import { randomToken, type Random } from '../../platform/random'
import type { Seal } from '../../platform/store/seal'

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

const tokenBytes = 32
const codeDigits = 6

/** Returns a new secret: `WyN0…`, or `042817`. */
function newSecret({ secret }: Pick<FlowKind, 'secret'>, random: Random): string {
  if (secret === 'token') return randomToken(random, tokenBytes)
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
