/** Secrets with which clients open sessions for a while: see `relay/realtime/client-secrets`. Times are unix seconds. */
interface RealtimeSecretsTable {
  /** SHA-256. */
  hash: string
  /** JSON, sealed. */
  sealed: string
  expires_at: number
}

/** Sessions that are open on any worker, for limits that all share. */
interface RealtimeSessionsTable {
  /** That of the request. */
  id: string
  user_id: number
  token_id: number
  /** When its worker last said that it is open. */
  seen_at: number
}

export interface RealtimeTables {
  realtime_secrets: RealtimeSecretsTable
  realtime_sessions: RealtimeSessionsTable
}
