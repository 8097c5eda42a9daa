import type { Generated } from 'kysely'

export interface LogsTable {
  id: Generated<number>
  request_id: string
  created_at: number
  type: number
  user_id: number
  username: string
  token_id: number
  token_name: string
  model_name: string
  group: string
  channel_id: number
  channel_name: string
  is_stream: number
  /** Seconds. */
  use_time: number
  prompt_tokens: number
  completion_tokens: number
  quota: number
  content: string
  client_ip: string
  /** JSON with the keys of the specification. */
  other: string
}

/** The conversation of a call, where the site logs it. Written after the call's log row, or never. */
interface LogTextsTable {
  request_id: string
  /** When the log row was written. */
  created_at: number
  context: string
  input: string
  output: string
}

/** Who did what; the database refuses to change or remove a row. See `contract/src/routes/audit`. */
export interface AuditLogTable {
  id: Generated<number>
  created_at: number
  request_id: string
  user_id: number
  username: string
  role: number
  means: string
  ip: string
  user_agent: string
  action: string
  method: string
  path: string
  target: string
  target_id: string
  target_name: string
  outcome: string
  /** JSON, or empty. */
  before: string
  after: string
}

/** What happened: calls, their conversations, and actions in the console. */
export interface LogTables {
  logs: LogsTable
  log_texts: LogTextsTable
  audit_log: AuditLogTable
}
