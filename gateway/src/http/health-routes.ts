import type { Context } from '../context'
import { answerHeaders } from './response/envelope'
import { nodeProblem } from '../billing/ledger/node-problem'
import type { Readiness, ReadyState } from './readiness'
import { within } from '../platform/time/timers'

const databaseTimeoutMs = 2000

/** The process responds. */
export const liveAnswer = (): Response => healthAnswer(200, 'live')

/**
 * Resolves with whether new calls are welcome: the worker is not stopping, charges can be made durable, files can be opened, the database
 * responds, and what is sealed in it can be decrypted with this node's key. A node that would refuse every call is left out by balancers
 * that ask here; otherwise those that choose by open connections would prefer it.
 */
export async function readyAnswer(ctx: Context, readiness: Readiness): Promise<Response> {
  if (readiness.isDraining) return healthAnswer(503, 'draining')
  const state = nodeProblem(ctx) ?? (await databaseState(ctx))
  readiness.found(state)
  return healthAnswer(state === 'ready' ? 200 : 503, state)
}

async function databaseState({ secrets, timers }: Context): Promise<ReadyState> {
  const answer = secrets.problem().then(
    (problem) => (problem === null ? 'ready' : 'secrets'),
    () => 'database' as const,
  )
  return within(timers, databaseTimeoutMs, answer, 'database')
}

const healthAnswer = (status: number, state: ReadyState | 'live') =>
  new Response(JSON.stringify({ status: state }), { status, headers: answerHeaders })
