import { sql } from 'kysely'

import type { Context } from '../context'
import { answerHeaders } from './envelope'
import type { Readiness } from './readiness'

const databaseTimeoutMs = 2000

/** The process answers. */
export const liveAnswer = (): Response => healthAnswer(200, 'live')

/** New calls are welcome: the worker is not stopping and the database answers. */
export async function readyAnswer(ctx: Context, readiness: Readiness): Promise<Response> {
  if (readiness.isDraining) return healthAnswer(503, 'draining')
  return (await doesDatabaseAnswer(ctx)) ? healthAnswer(200, 'ready') : healthAnswer(503, 'database')
}

async function doesDatabaseAnswer({ database }: Context): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), databaseTimeoutMs)
  const answer = sql`select 1`.execute(database.query).then(
    () => true,
    () => false,
  )
  const isUp = await Promise.race([answer, tooLate])
  clearTimeout(timer)
  return isUp
}

const healthAnswer = (status: number, state: string) =>
  new Response(JSON.stringify({ status: state }), { status, headers: answerHeaders })
