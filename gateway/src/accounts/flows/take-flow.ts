import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import { flowKinds, type FlowHolder, type FlowPayload, type FlowPurpose } from './flow-kinds'
import { secretHash } from './create-flow'

/** Wrong guesses after which a code is no longer accepted. */
const maxAttempts = 5

type Deps = Pick<Context, 'database' | 'clock' | 'seal'>

export type PresentedFlow<Purpose extends FlowPurpose> = FlowHolder<Purpose> & { readonly secret: string }

/**
 * Uses a flow and runs `act` in one transaction: of concurrent uses one succeeds, and a flow whose act fails can be used again. The
 * refusal does not reveal what did not match: purpose, subject, browser or time.
 * @throws AppError the kind's refusal, and what the act throws.
 */
export async function takeFlow<Purpose extends FlowPurpose, Result>(
  parts: Deps,
  purpose: Purpose,
  presented: PresentedFlow<Purpose>,
  act: (payload: FlowPayload<Purpose>, transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const { secret, refusal, isBrowserBound } = flowKinds[purpose]
  if (isBrowserBound && !presented.browser) throw new AppError(refusal)
  const flow: Flow = {
    purpose,
    subject: presented.subject,
    browser: presented.browser ?? '',
    hash: secretHash(parts.seal, purpose, presented.subject, presented.browser ?? '', presented.secret),
  }
  if (secret === 'token') return redeem(parts, purpose, flow, act)
  if (!(await isGuessAllowed(parts, flow))) throw new AppError(refusal)
  return redeem(parts, purpose, flow, act).catch(async (error: unknown) => {
    // The code was right, and the act failed for another reason.
    if (!(error instanceof AppError && error.code === refusal)) await takeBackGuess(parts, flow)
    throw error
  })
}

/**
 * Resolves with what a flow carries, without using it.
 * @throws AppError the kind's refusal.
 */
export async function readFlow<Purpose extends FlowPurpose>(
  parts: Deps,
  purpose: Purpose,
  presented: PresentedFlow<Purpose>,
): Promise<FlowPayload<Purpose>> {
  const { payload, refusal, isBrowserBound } = flowKinds[purpose]
  if (isBrowserBound && !presented.browser) throw new AppError(refusal)
  const browser = presented.browser ?? ''
  const found = await parts.database.query
    .selectFrom('flows')
    .select('payload')
    .where('secret_hash', '=', secretHash(parts.seal, purpose, presented.subject, browser, presented.secret))
    .where('expires_at', '>', parts.clock.seconds())
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new AppError(refusal)
  return payload.parse(JSON.parse(found.payload)) as FlowPayload<Purpose>
}

interface Flow {
  readonly purpose: FlowPurpose
  readonly subject: string
  readonly browser: string
  readonly hash: string
}

const redeem = <Purpose extends FlowPurpose, Result>(
  parts: Deps,
  purpose: Purpose,
  flow: Flow,
  act: (payload: FlowPayload<Purpose>, transaction: Transaction) => Promise<Result>,
): Promise<Result> =>
  parts.database.query.transaction().execute(async (transaction) => {
    const now = parts.clock.seconds()
    const used = await transaction
      .updateTable('flows')
      .set({ used_at: now })
      .where('secret_hash', '=', flow.hash)
      .where('purpose', '=', flow.purpose)
      .where('subject', '=', flow.subject)
      .where('browser_hash', '=', flow.browser)
      .where('expires_at', '>', now)
      .where('used_at', 'is', null)
      .returning('payload')
      .executeTakeFirst()
    const { payload, refusal } = flowKinds[purpose]
    if (!used) throw new AppError(refusal)
    return act(payload.parse(JSON.parse(used.payload)) as FlowPayload<Purpose>, transaction)
  })

/** Counts the guess before it is checked, and outside the transaction, so that concurrent guesses gain nothing over sequential ones. */
async function isGuessAllowed(parts: Deps, flow: Flow): Promise<boolean> {
  const counted = await openFlows(parts, flow)
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('attempts', '<', maxAttempts)
    .returning('secret_hash')
    .execute()
  return counted.some(({ secret_hash: hash }) => hash === flow.hash)
}

async function takeBackGuess(parts: Deps, flow: Flow): Promise<void> {
  await openFlows(parts, flow)
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('attempts', '>', 0)
    .execute()
}

const openFlows = (parts: Deps, { purpose, subject, browser }: Flow) =>
  parts.database.query
    .updateTable('flows')
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('browser_hash', '=', browser)
    .where('expires_at', '>', parts.clock.seconds())
    .where('used_at', 'is', null)

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
