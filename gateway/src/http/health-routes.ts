import type { Context } from '../context'
import { responseHeaders } from './response/envelope'
import { within } from '../platform/time/timers'
import type { LedgerProblem } from '../billing/ledger/ledger'
import { isOutOfFiles } from '@tollgate/http-client'

const databaseTimeoutMs = 2000

/** The process responds. */
export const liveResponse = (): Response => healthResponse(200, 'live')

/**
 * Resolves with whether new calls are welcome: the worker is not stopping, charges can be made durable, files can be opened, the database
 * responds, and what is sealed in it can be decrypted with this node's key. A node that would refuse every call is left out by balancers
 * that ask here; otherwise those that choose by open connections would prefer it.
 */
export async function readyResponse(ctx: Context, readiness: Readiness): Promise<Response> {
  if (readiness.isDraining) return healthResponse(503, 'draining')
  const state = nodeProblem(ctx) ?? (await databaseState(ctx))
  readiness.recordCheck(state)
  return healthResponse(state === 'ready' ? 200 : 503, state)
}

async function databaseState({ secrets, timers }: Context): Promise<ReadyState> {
  const checked = secrets.problem().then(
    (problem) => (problem === null ? 'ready' : 'secrets'),
    () => 'database' as const,
  )
  return within(timers, databaseTimeoutMs, checked, 'database')
}

const healthResponse = (status: number, state: ReadyState | 'live') =>
  new Response(JSON.stringify({ status: state }), { status, headers: responseHeaders })

/** What `/health/ready` says; all but `ready` come with 503. */
type ReadyState = 'ready' | 'draining' | 'secrets' | LedgerProblem

/** Whether this worker wants new calls. It stops wanting them before it stops taking them. */
export class Readiness {
  #isDraining = false
  #isFine = true

  get isDraining(): boolean {
    return this.#isDraining
  }

  /**
   * False while draining; otherwise whether the secrets could be decrypted at the last check. What the ledger and the database can do is
   * known elsewhere.
   */
  get isReady(): boolean {
    return this.#isFine && !this.#isDraining
  }

  setDraining(): void {
    this.#isDraining = true
  }

  /** Records the result of a check. */
  recordCheck(state: ReadyState): void {
    if (state === 'ready' || state === 'secrets') this.#isFine = state === 'ready'
  }
}

/** Returns why this node would refuse calls for a reason of its own; null where it would not. */
export const nodeProblem = ({ ledger }: Pick<Context, 'ledger'>): LedgerProblem | null =>
  ledger.problem() ?? (isOutOfFiles() ? 'files' : null)
