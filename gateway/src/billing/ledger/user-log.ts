import { storedPhrase, type LogType, type Phrase } from '@tollgate/contract'

import type { LogEntry } from './ledger'

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
  createdAt,
  type,
  userId,
  username,
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
  content: storedPhrase(text.code, text.params),
  clientIp: '',
  other: JSON.stringify(details),
})
