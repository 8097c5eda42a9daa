import { endedTaskStatuses, type TaskPlatform, type TaskStatus } from '@tollgate/contract'
import { isObject, type JsonObject } from '@tollgate/dialects'
import type { TaskResult } from '@tollgate/providers'
import * as z from 'zod'

import { parsedJson } from '../platform/text/parsed-json'
import type { Queries, Transaction } from '../platform/store/database'
import type { TaskRow } from '../platform/store/tables'
import type { StoredFile } from './result-folder'
import type { TaskTerms } from './task-terms'

/** A task as it begins, before any vendor knows of it. */
export interface NewTask {
  readonly publicId: string
  readonly platform: TaskPlatform
  readonly action: string
  /** As the caller named it. */
  readonly model: string
  readonly userId: number
  readonly username: string
  readonly tokenId: number
  readonly tokenName: string
  readonly group: string
  readonly prompt: string
  readonly request: JsonObject
  readonly terms: TaskTerms
  /** Milliseconds. */
  readonly submittedAt: number
  /** When its submission has failed if it did not end: its worker died. */
  readonly submittedBy: number
  /** False: no vendor is asked about it, and what runs it ends it. Default: true. */
  readonly isPolled?: boolean
}

/** Longer prompts are cut in the list of tasks. */
const maxPromptLength = 8000

export async function insertTask(task: NewTask, transaction: Transaction): Promise<void> {
  await transaction
    .insertInto('tasks')
    .values({
      public_id: task.publicId,
      platform: task.platform,
      action: task.action,
      model: task.model,
      user_id: task.userId,
      username: task.username,
      token_id: task.tokenId,
      token_name: task.tokenName,
      group: task.group,
      status: 'NOT_START' satisfies TaskStatus,
      prompt: plain(task.prompt.slice(0, maxPromptLength)),
      request: toStoredJson(task.request),
      terms: JSON.stringify(task.terms),
      submitted_at: task.submittedAt,
      deadline_at: task.submittedBy,
      poll_at: task.isPolled === false ? null : task.submittedBy,
      deleted_at: null,
    })
    .execute()
}

/** What changes about a task. */
export interface TaskChange {
  readonly status?: TaskStatus
  readonly progress?: number
  readonly fail_reason?: string
  readonly prompt_en?: string
  readonly channel_id?: number
  readonly channel_name?: string
  readonly key_fingerprint?: string
  readonly upstream_model?: string
  readonly vendor_id?: string
  readonly data?: string
  readonly results?: string
  readonly terms?: string
  readonly quota?: number
  readonly started_at?: number
  readonly finished_at?: number
  readonly deadline_at?: number
  readonly poll_at?: number | null
  readonly polls?: number
  readonly losses?: number
}

/**
 * Changes a task that has not ended; with `from`, one in this very state. Returns whether it did: of several that would end a task only
 * the first does.
 */
export async function moveTask(
  query: Queries | Transaction,
  id: number,
  change: TaskChange,
  from?: TaskStatus,
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('tasks')
    .set(change)
    .where('id', '=', id)
    .where('status', 'not in', endedTaskStatuses)
    .$if(from !== undefined, (update) => update.where('status', '=', from ?? ''))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const taskByPublicId = (query: Queries | Transaction, publicId: string): Promise<TaskRow | undefined> =>
  query.selectFrom('tasks').selectAll().where('public_id', '=', publicId).executeTakeFirst()

/** Hides a task from its owner. What was charged for it and its log row stay. */
export async function removeTask(query: Queries, id: number, now: number): Promise<void> {
  await query.updateTable('tasks').set({ deleted_at: now }).where('id', '=', id).execute()
}

/** Whose tasks are read. */
export interface TaskOwner {
  readonly userId: number
  /** The only key whose tasks are read; null: those of the user's keys and sessions. */
  readonly tokenId: number | null
}

/** Whose tasks are read, and of which platform. */
export interface Owned extends TaskOwner {
  /** Null: of all. */
  readonly platform: string | null
}

/** Resolves with those of the tasks that belong to the user and were not removed, in the order of their submission. */
export const ownTasks = (
  query: Queries,
  publicIds: readonly string[],
  { userId, tokenId, platform }: Owned,
): Promise<TaskRow[]> =>
  publicIds.length === 0
    ? Promise.resolve([])
    : query
        .selectFrom('tasks')
        .selectAll()
        .where('public_id', 'in', publicIds)
        .where('user_id', '=', userId)
        .$if(tokenId !== null, (select) => select.where('token_id', '=', tokenId ?? 0))
        .$if(platform !== null, (select) => select.where('platform', '=', platform ?? ''))
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .execute()

/** A result, and the file that has its bytes where they are kept. */
export interface StoredResult extends TaskResult {
  readonly kept?: StoredFile
}

const StoredResults: z.ZodType<readonly StoredResult[]> = z.array(
  z.object({
    kind: z.enum(['image', 'video', 'audio']),
    url: z.string().optional(),
    fileId: z.string().optional(),
    isSecret: z.boolean().optional(),
    kept: z.object({ name: z.string(), contentType: z.string(), place: z.literal('bucket').optional() }).optional(),
  }),
)

/** Returns the results in a row; none where another release wrote what this one cannot read. */
export const readResults = ({ results }: Pick<TaskRow, 'results'>): readonly StoredResult[] =>
  StoredResults.safeParse(parsedJson(results)).data ?? []

/** Returns the data or the request in a row. */
export function readObject(text: string): JsonObject {
  const json = parsedJson(text)
  return isObject(json) ? json : {}
}

/** Returns a value as JSON without NUL in its texts: they may become texts in the database, where PostgreSQL takes none. */
export const toStoredJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? plain(member) : member))
export const plain = (text: string): string => text.replaceAll('\0', '')
