import { logType, storedPhrase, type LogType, type Phrase } from '@tollgate/contract'

import { randomHex, type Random } from '../../platform/random'
import type { Clock } from '../../platform/time/clock'
import type { Ledger, LogEntry } from './ledger'

/** What a log row has for a call, in a row that is not about one. */
const notACall = {
  tokenId: 0,
  tokenName: '',
  modelName: '',
  group: '',
  channelId: 0,
  channelName: '',
  isStream: false,
  useTimeSeconds: 0,
  promptTokens: 0,
  completionTokens: 0,
  clientIp: '',
} as const satisfies Partial<LogEntry>

interface UserLog {
  readonly createdAt: number
  readonly type: LogType
  /** The owner of the log. */
  readonly userId: number
  readonly username: string
  readonly text: Phrase
  readonly details: Readonly<Record<string, unknown>>
}

/** Returns a row in a user's log that concerns the account itself, not a call. */
export const userLog = ({ createdAt, type, userId, username, text, details }: UserLog): LogEntry => ({
  ...notACall,
  createdAt,
  type,
  userId,
  username,
  content: storedPhrase(text.code, text.params),
  other: JSON.stringify(details),
})

interface AdminLog extends Omit<UserLog, 'type'> {
  readonly admin: { readonly userId: number; readonly username: string }
  readonly clientIp: string
}

/** Returns the log row of an administrator's action. The administrator is in a part that users never see. */
export function adminLog({ admin, clientIp, details, ...log }: AdminLog): LogEntry {
  const adminInfo = { admin_id: admin.userId, admin_username: admin.username, client_ip: clientIp }
  return userLog({ ...log, type: logType.admin, details: { ...details, admin_info: adminInfo } })
}

interface SystemEvent {
  readonly channelId: number
  readonly channelName: string
  readonly text: Phrase
  readonly modelName?: string
  /** Seconds. */
  readonly useTimeSeconds?: number
}

interface SystemLogDeps {
  readonly clock: Pick<Clock, 'seconds'>
  readonly random: Pick<Random, 'bytes'>
  readonly ledger: Pick<Ledger, 'record'>
}

/** Writes a row to the log for something the gateway did by itself. It belongs to no user, so only administrators see it. */
export function systemLog({ clock, random, ledger }: SystemLogDeps, { text, ...event }: SystemEvent): void {
  const id = randomHex(random, 16)
  ledger.record(`system-${id}`, {
    ...notACall,
    ...event,
    createdAt: clock.seconds(),
    type: logType.system,
    userId: 0,
    username: '',
    content: storedPhrase(text.code, text.params),
    other: '{}',
  })
}
