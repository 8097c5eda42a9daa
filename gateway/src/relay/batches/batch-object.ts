import { hasEnded } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import type { Batch } from '../../tasks/batches/batch-store'
import { readBatchTerms } from '../../tasks/batches/batch-terms'
import { readVendorState } from '../../tasks/batches/vendor-state'
import { cancelledAt, isCancelled, unixSeconds } from '../../tasks/task-view'

const endedNames: Readonly<Record<string, string>> = { SUCCESS: 'completed', CANCEL: 'cancelled' }

/** Returns OpenAI's name for the state of a batch: one that failed before it began has errors, one that failed later has expired. */
function stateOf({ task }: Batch, hasErrors: boolean): string {
  if (!hasEnded(task)) return isCancelled(task) ? 'cancelling' : 'in_progress'
  return endedNames[task.status] ?? (hasErrors ? 'failed' : 'expired')
}

/** Returns how many calls have ended: what is stored, or what a vendor says of a batch that it makes, whose results come at its end. */
function countsOf({ task, row }: Batch) {
  const { total, completed, failed } = row
  if (hasEnded(task)) return { total, completed, failed }
  const vendor = readVendorState(row)
  return { total, completed: Math.max(completed, vendor.completed), failed: Math.max(failed, vendor.failed) }
}

/** Returns a batch as OpenAI's API does. https://platform.openai.com/docs/api-reference/batch/object */
export function batchObject(batch: Batch): JsonObject {
  const { task, row } = batch
  const { errors, metadata } = readBatchTerms(row.terms)
  const status = stateOf(batch, errors.length > 0)
  const createdAt = unixSeconds(task.submitted_at)
  const finishedAt = unixSeconds(task.finished_at)
  const endedAs = (name: string) => (status === name ? finishedAt : null)
  return {
    id: task.public_id,
    object: 'batch',
    endpoint: row.endpoint,
    model: task.model || null,
    errors: errors.length === 0 ? null : { object: 'list', data: errors },
    input_file_id: row.input_file_id,
    completion_window: '24h',
    status,
    output_file_id: row.output_file_id || null,
    error_file_id: row.error_file_id || null,
    created_at: createdAt,
    in_progress_at: status === 'failed' ? null : createdAt,
    expires_at: unixSeconds(task.deadline_at),
    finalizing_at: endedAs('completed'),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: cancelledAt(task),
    cancelled_at: endedAs('cancelled'),
    request_counts: countsOf(batch),
    metadata,
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

/** Returns a batch as Anthropic's API does. https://docs.claude.com/en/api/retrieving-message-batches */
export function messageBatchObject(batch: Batch, site: string): JsonObject {
  const { task } = batch
  const cancelled = cancelledAt(task)
  const isOver = hasEnded(task)
  const { total, completed, failed } = countsOf(batch)
  const left = Math.max(0, total - completed - failed)
  return {
    id: task.public_id,
    type: 'message_batch',
    processing_status: isOver ? 'ended' : isCancelled(task) ? 'canceling' : 'in_progress',
    request_counts: {
      processing: isOver ? 0 : left,
      succeeded: completed,
      errored: failed,
      canceled: task.status === 'CANCEL' ? left : 0,
      expired: task.status === 'FAILURE' ? left : 0,
    },
    created_at: isoTime(task.submitted_at),
    expires_at: isoTime(task.deadline_at),
    ended_at: isOver ? isoTime(task.finished_at) : null,
    cancel_initiated_at: cancelled === null ? null : isoTime(cancelled * 1000),
    archived_at: null,
    results_url: isOver ? `${site}/v1/messages/batches/${task.public_id}/results` : null,
  }
}
