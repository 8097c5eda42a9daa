import type { Generated } from 'kysely'

/** Files that users keep here: see `tasks/files`. Times are unix seconds. */
export interface FilesTable {
  id: Generated<number>
  /** What clients call it. */
  public_id: string
  user_id: number
  /** The key that made it; 0: the console. */
  token_id: number
  purpose: string
  filename: string
  content_type: string
  bytes: Generated<number>
  /** How many pieces its bytes are kept in. */
  chunks: Generated<number>
  /** Empty: `file_chunks`. `bucket`: objects of the site's bucket. Otherwise the lines of `batch_id` that `resultStates` has for it. */
  place: string
  /** The key that encrypts its bytes. */
  key_sealed: string
  batch_id: Generated<string>
  /** 0: the upload is under way, or was cut short. */
  is_stored: Generated<number>
  created_at: number
  expires_at: number
}

interface FileChunksTable {
  file_id: number
  number: number
  /** Encrypted. */
  content: Uint8Array
}

/** What a batch has besides its task: see `tasks/batches`. */
export interface BatchesTable {
  /** Public id of the task. */
  task_id: string
  /** `openai` or `anthropic`. */
  dialect: string
  /** The path that its lines call. */
  endpoint: string
  input_file_id: Generated<string>
  output_file_id: Generated<string>
  error_file_id: Generated<string>
  /** The key that encrypts its lines. */
  key_sealed: string
  total: Generated<number>
  completed: Generated<number>
  failed: Generated<number>
  /** JSON: see `BatchTerms`. */
  terms: Generated<string>
  /** JSON: what its vendor knows of it. */
  vendor: Generated<string>
  /** The worker that runs it. */
  claimed_by: Generated<string>
  /** Unix milliseconds; from then on another worker may take it. Null: there is nothing left to run. */
  claimed_until: number | null
  /** Unix seconds. */
  created_at: number
  /** When its lines are removed; unix seconds. */
  expires_at: number
}

interface BatchLinesTable {
  batch_id: string
  line: number
  /** See `lineStates`. */
  state: number
  model: string
  /** What it may cost, and with how little it makes do. */
  max_quota: number
  min_quota: number
  /** Length of its result. */
  bytes: number
  /** Encrypted: the request until there is a result. */
  content: Uint8Array
}

/** What users upload, and calls that are made in batches. */
export interface BatchTables {
  files: FilesTable
  file_chunks: FileChunksTable
  batches: BatchesTable
  batch_lines: BatchLinesTable
}
