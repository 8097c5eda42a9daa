import { storedPhrase, type LogType, type Phrase } from '@tollgate/contract'

import type { LogEntry } from '../../ledger/ledger'

interface UserLog {
  readonly createdAt: number
  readonly type: LogType
  /** Whose log the row stands in. */
  readonly userId: number
  readonly username: string
  readonly text: Phrase
  readonly details: Readonly<Record<string, unknown>>
}

/** A row in a user's log about the account itself, not about a call. */
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
