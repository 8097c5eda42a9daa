import { logRoutes, logType } from '@tollgate/contract'
import { z } from 'zod'

import type { Console } from './console'

type LogItem = logRoutes.LogEntity

const maxWaitMs = 60_000

/** Resolves with the one consumption row of a call as soon as it exists. */
export async function chargeOf(console: Console, requestId: string): Promise<LogItem> {
  const rows = await until(
    () => chargesOf(console, requestId),
    (rows) => rows.length > 0,
  )
  const [row] = rows
  if (!row || rows.length > 1) throw new Error(`The call ${requestId} was charged ${rows.length} times`)
  return row
}

/** Resolves with all consumption rows of a call. */
export async function chargesOf(console: Console, requestId: string): Promise<LogItem[]> {
  const query = { p: 1, page_size: 100, type: logType.consumption }
  const { items } = await console.call(logRoutes.listLogs, { query })
  return items.filter((item) => item.request_id === requestId)
}

const Failed = z.object({ admin_info: z.object({ upstream_error: z.object({ message: z.string() }) }) })

/** Resolves with what the log tells administrators about the failed attempts of a call, in the upstream's words. */
export async function reasonsOf(console: Console, requestId: string): Promise<string[]> {
  const query = { p: 1, page_size: 100, type: logType.error }
  const rows = await until(
    async () => (await console.call(logRoutes.listLogs, { query })).items,
    (items) => items.some((item) => item.request_id === requestId),
  )
  return rows
    .filter((item) => item.request_id === requestId)
    .map(({ other }) => Failed.parse(JSON.parse(other)).admin_info.upstream_error.message)
}

/** The console limits how often an address may ask, so questions become rarer. */
const firstPauseMs = 25
const maxPauseMs = 500

/** Repeats a query until its result is right, or resolves with the last result when time is up. */
export async function until<T>(
  read: () => Promise<T>,
  isRight: (response: T) => boolean,
  timeoutMs = maxWaitMs,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (let pause = firstPauseMs; ; pause = Math.min(1.2 * pause, maxPauseMs)) {
    const response = await read()
    if (isRight(response) || performance.now() > deadline) return response
    await Bun.sleep(pause)
  }
}
