import { logType, type Phrase } from '@tollgate/contract'

import type { LogEntry } from '../../billing/ledger/ledger'
import { userLog } from '../../billing/ledger/user-log'

interface AdminLog {
  readonly createdAt: number
  readonly admin: { readonly userId: number; readonly username: string }
  readonly clientIp: string
  /** The owner of the log. */
  readonly userId: number
  readonly username: string
  readonly text: Phrase
  readonly details: Record<string, unknown>
}

/** Returns the log row of an administrator's action. The administrator is in a part that users never see. */
export function adminLog({ createdAt, admin, clientIp, userId, username, text, details }: AdminLog): LogEntry {
  const adminInfo = { admin_id: admin.userId, admin_username: admin.username, client_ip: clientIp }
  return userLog({
    createdAt,
    type: logType.admin,
    userId,
    username,
    text,
    details: { ...details, admin_info: adminInfo },
  })
}
