import { logRoutes, logType } from '@tollgate/contract'

import { call } from '../../../lib/api'
import type { Answer } from '../session/session'

/** Resolves with the log entry of a call; undefined where there is none, or it cannot be read. */
export type LoggedCall = (requestId: string) => Promise<Answer['logged']>

export const loggedCall: LoggedCall = async (requestId) => {
  try {
    const { items } = await call(logRoutes.listOwnLogs, { query: { request_id: requestId } })
    const row = items.find(({ type }) => type === logType.consumption) ?? items[0]
    return row && { id: row.id, quota: row.quota }
  } catch {
    return undefined
  }
}
