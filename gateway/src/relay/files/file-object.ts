import type { DialectId, JsonObject } from '@tollgate/dialects'

import type { FileRow } from '../../platform/store/tables'

/** What a dialect calls files and lists of them, and how it names the ends of a page. */
export interface FileForm {
  readonly idPrefix: string
  readonly objectOf: (row: FileRow) => JsonObject
  readonly deletionOf: (id: string) => JsonObject
  readonly list: (rows: readonly FileRow[], hasMore: boolean) => JsonObject
  /** Parameters of a list, for files that come after one and before one. */
  readonly after: string
  readonly before: string | null
  readonly maxLimit: number
  readonly usualLimit: number
}

/** https://platform.openai.com/docs/api-reference/files/object */
const openAi: FileForm = {
  idPrefix: 'file-tg',
  objectOf: openAiFile,
  deletionOf: (id) => ({ id, object: 'file', deleted: true }),
  list: (rows, hasMore) => ({ object: 'list', ...pageOf(rows.map(openAiFile), hasMore) }),
  after: 'after',
  before: null,
  maxLimit: 10_000,
  usualLimit: 10_000,
}

/** https://docs.claude.com/en/api/files-create */
const anthropic: FileForm = {
  idPrefix: 'file_tg',
  objectOf: anthropicFile,
  deletionOf: (id) => ({ id, type: 'file_deleted' }),
  // Earlier clients go on from an id, later ones from a cursor.
  list: (rows, hasMore) => ({
    ...pageOf(rows.map(anthropicFile), hasMore),
    next_page: hasMore ? rows.at(-1)?.public_id : null,
  }),
  after: 'after_id',
  before: 'before_id',
  maxLimit: 1000,
  usualLimit: 20,
}

/** Returns how clients of a dialect see files. The address is the same; only headers tell the dialects apart. */
export const fileForm = (dialect: DialectId): FileForm => (dialect === 'anthropic-messages' ? anthropic : openAi)

function openAiFile(row: FileRow): JsonObject {
  return {
    id: row.public_id,
    object: 'file',
    bytes: row.bytes,
    created_at: row.created_at,
    expires_at: row.expires_at,
    filename: row.filename,
    purpose: row.purpose,
    status: 'processed',
    status_details: null,
  }
}

function anthropicFile(row: FileRow): JsonObject {
  return {
    id: row.public_id,
    type: 'file',
    filename: row.filename,
    mime_type: row.content_type,
    size_bytes: row.bytes,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
    downloadable: true,
  }
}

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

const pageOf = (data: readonly JsonObject[], hasMore: boolean): JsonObject => ({
  data,
  has_more: hasMore,
  first_id: data[0]?.['id'] ?? null,
  last_id: data.at(-1)?.['id'] ?? null,
})
