import { hasEnded, type TaskStatus } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import type { TaskRow } from '../platform/store/tables'
import { readObject, readResults } from './task-store'
import type { Language } from '../http/language'
import { shownText } from '../platform/locales/sentence'

/** Returns a task as clients of no particular platform see it; times in unix seconds. Results are found at `…/results/{number}`. */
export const taskView = (row: TaskRow) => ({
  id: row.public_id,
  object: 'task',
  platform: row.platform,
  action: row.action,
  model: row.model,
  status: shownStatus(row),
  progress: row.progress,
  prompt: row.prompt,
  quota: row.quota,
  created_at: unixSeconds(row.submitted_at),
  started_at: unixSeconds(row.started_at),
  finished_at: unixSeconds(row.finished_at),
  /** A stored phrase or the vendor's own words; empty for a task that did not fail. */
  fail_reason: row.fail_reason,
  results: readResults(row).map(({ kind }, number) => ({ kind, url: `/v1/tasks/${row.public_id}/results/${number}` })),
})

/** Returns a time of a task in unix seconds; 0: not yet. */
export const unixSeconds = (ms: number): number => Math.floor(ms / 1000)

/** Returns whether the owner of a call in the background wants it no more; it may still have to be charged. */
export const isCancelled = ({ data }: Pick<TaskRow, 'data'>): boolean => readObject(data)['isCancelled'] === true

/** Returns when its owner cancelled it, in unix seconds; null: that did not happen. */
export function cancelledAt({ data }: Pick<TaskRow, 'data'>): number | null {
  const { cancelledAt: at } = readObject(data)
  return typeof at === 'number' ? at : null
}

/** Returns the state that an owner is shown: what was cancelled is over for him, though its charge may not be settled yet. */
const shownStatus = (row: Pick<TaskRow, 'status' | 'data'>): TaskRow['status'] =>
  !hasEnded(row) && isCancelled(row) ? ('CANCEL' satisfies TaskStatus) : row.status

const openAiStates: Readonly<Record<string, 'queued' | 'in_progress' | 'completed' | 'failed' | 'cancelled'>> = {
  NOT_START: 'queued',
  SUCCESS: 'completed',
  FAILURE: 'failed',
  CANCEL: 'cancelled',
}

/** Returns OpenAI's name for the state of a call in the background. */
export const openAiStatus = (row: Pick<TaskRow, 'status' | 'data'>) => openAiStates[shownStatus(row)] ?? 'in_progress'

/** Returns a task as Suno-API writes it; times in seconds. */
export function songShape(task: TaskRow, language: Language): JsonObject {
  const { songs = null } = readObject(task.data)
  return {
    task_id: task.public_id,
    notify_hook: '',
    action: task.action,
    status: task.status,
    fail_reason: shownText(task.fail_reason, language),
    submit_time: unixSeconds(task.submitted_at),
    start_time: unixSeconds(task.started_at),
    finish_time: unixSeconds(task.finished_at),
    progress: `${task.progress}%`,
    search_item: '',
    data: songs,
  }
}
