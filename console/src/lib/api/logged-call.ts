import { logRoutes, logType } from '@tollgate/contract'

import { call } from './api'

/** The log entry of a call, and its charge in quota. */
export interface LoggedCall {
  readonly id: number
  readonly quota: number
}

/** A row is written right behind the end of the response. */
const usualWaitsMs = [0, 300, 1_500] as const

/** Resolves with the log entry of a call; undefined where there is none, or it cannot be read. */
export async function loggedCall(
  requestId: string,
  waitsMs: readonly number[] = usualWaitsMs,
): Promise<LoggedCall | undefined> {
  let found: LoggedCall | undefined
  for (const waitMs of waitsMs) {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    try {
      const { items } = await call(logRoutes.listOwnLogs, { query: { request_id: requestId } })
      const charged = items.find(({ type }) => type === logType.consumption)
      const row = charged ?? items[0]
      found = row && { id: row.id, quota: row.quota }
      if (charged) break
    } catch {
      break
    }
  }
  return found
}
