import type { TaskRow } from '../platform/store/tables'
import { shownStatus } from './shown-status'
import { readResults } from './task-store'

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
  created_at: seconds(row.submitted_at),
  started_at: seconds(row.started_at),
  finished_at: seconds(row.finished_at),
  /** A stored phrase or the vendor's own words; empty for a task that did not fail. */
  fail_reason: row.fail_reason,
  results: readResults(row).map(({ kind }, number) => ({ kind, url: `/v1/tasks/${row.public_id}/results/${number}` })),
})

/** 0: not yet. */
const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
