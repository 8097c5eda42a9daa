import type { Generated } from 'kysely'

/** Work that ends later than its request: see `tasks`. Times are unix milliseconds; 0: not yet. */
export interface TasksTable {
  id: Generated<number>
  /** What clients call it. Also the id of its hold and of its charge. */
  public_id: string
  /** One of `taskPlatforms`. */
  platform: string
  /** In capitals: `IMAGINE`, `MUSIC`, `GENERATE`. */
  action: string
  /** As the caller named it. */
  model: string
  user_id: number
  username: string
  /** 0: submitted in the console. */
  token_id: number
  token_name: string
  group: string
  /** 0: no channel accepted it. */
  channel_id: Generated<number>
  channel_name: Generated<string>
  key_fingerprint: Generated<string>
  upstream_model: Generated<string>
  /** Opaque: the vendor's functions read it. Empty for a call that the gateway runs itself in the background. */
  vendor_id: Generated<string>
  /** See `TaskStatus`. */
  status: string
  /** Percent. */
  progress: Generated<number>
  fail_reason: Generated<string>
  prompt: Generated<string>
  prompt_en: Generated<string>
  /** JSON: the parts of the client's request that its platform shows again. */
  request: Generated<string>
  /** JSON: what the platform's answers show besides the columns. */
  data: Generated<string>
  /** JSON: see `TaskResult`. Addresses in it may hold keys. */
  results: Generated<string>
  /** JSON: see `TaskTerms`. Never leaves the gateway. */
  terms: Generated<string>
  /** What was charged. */
  quota: Generated<number>
  submitted_at: number
  started_at: Generated<number>
  finished_at: Generated<number>
  /** When it is given up if it has not ended. */
  deadline_at: number
  /** When its vendor is asked next; null: it has ended. A task that no vendor has accepted by then is given up. */
  poll_at: number | null
  /** How often its vendor was asked. */
  polls: Generated<number>
  /** How often in succession the vendor did not know it. */
  losses: Generated<number>
  /** When its owner removed it from view. */
  deleted_at: number | null
}

/** What a call that ran in the background was answered with. */
interface TaskResponsesTable {
  /** Public id of the task. */
  task_id: string
  /** JSON, as it is sent to the client. */
  sealed: string
  /** Unix seconds. */
  expires_at: number
}

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

/** What calls left in the accounts of vendors: see `vendor-objects`. */
interface VendorObjectsTable {
  /** SHA-256 of the id under which the client knows it. */
  id_hash: string
  user_id: number
  /** The key that made it; 0: the playground; null: not known. */
  token_id: number | null
  channel_id: number
  /** That of the channel's key: another key may be of another account. */
  key_fingerprint: string
  /** Tokens of a response and everything before it; null: not known. */
  tokens: number | null
  /** The vendor's id, where the client knows the object by one of the gateway's own; otherwise empty. */
  vendor_id: string
  expires_at: number
}

/** Turns of the Responses API: see `channels/turns`. */
interface ResponseTurnsTable {
  /** SHA-256 of the id of its response. */
  id_hash: string
  user_id: number
  /** The key that made it; 0: the playground. */
  token_id: number
  /** That of the response from which it goes on; empty: it begins a thread. */
  previous_hash: string
  /** That of the first turn: a thread expires together. */
  thread_hash: string
  /** JSON, sealed. */
  sealed: string
  /** Length of the JSON. */
  bytes: number
  expires_at: number
}

/** Items of responses, for requests that name them instead of repeating them. They are deleted with their turn. */
interface ResponseTurnItemsTable {
  /** SHA-256. */
  item_hash: string
  user_id: number
  turn_hash: string
}

/** Conversations of the Responses API, whose items are kept beside them. */
interface ConversationsTable {
  /** SHA-256. */
  id_hash: string
  user_id: number
  /** The key that made it. */
  token_id: number
  /** JSON, sealed: its metadata. */
  sealed: string
  /** What it takes with its items, about. */
  bytes: number
  created_at: number
  expires_at: number
}

/** What was added to a conversation at one time, in order. */
interface ConversationItemsTable {
  id: Generated<number>
  conversation_hash: string
  /** JSON, sealed. */
  sealed: string
}

/** What calls leave for later ones: tasks, realtime sessions, objects in the accounts of vendors, and turns. */
export interface StatefulCallTables {
  tasks: TasksTable
  task_answers: TaskResponsesTable
  realtime_secrets: RealtimeSecretsTable
  realtime_sessions: RealtimeSessionsTable
  vendor_objects: VendorObjectsTable
  response_turns: ResponseTurnsTable
  response_turn_items: ResponseTurnItemsTable
  conversations: ConversationsTable
  conversation_items: ConversationItemsTable
}
