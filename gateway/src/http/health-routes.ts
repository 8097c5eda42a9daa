import type { Context } from '../context'
import { answerHeaders } from './response/envelope'
import type { Readiness } from './readiness'
import { within } from '../timers'

const databaseTimeoutMs = 2000

/** The process responds. */
export const liveAnswer = (): Response => healthAnswer(200, 'live')

/**
 * Resolves with whether new calls are welcome: the worker is not stopping, the database responds, and what is sealed in it can be
 * decrypted with this node's key.
 */
export async function readyAnswer(ctx: Context, readiness: Readiness): Promise<Response> {
  if (readiness.isDraining) return healthAnswer(503, 'draining')
  const state = await stateOf(ctx)
  readiness.found(state)
  return healthAnswer(state === 'ready' ? 200 : 503, state)
}

async function stateOf({ secrets, timers }: Context): Promise<'ready' | 'database' | 'secrets'> {
  const answer = secrets.problem().then(
    (problem) => (problem === null ? 'ready' : 'secrets'),
    () => 'database' as const,
  )
  return within(timers, databaseTimeoutMs, answer, 'database')
}

const healthAnswer = (status: number, state: string) =>
  new Response(JSON.stringify({ status: state }), { status, headers: answerHeaders })
