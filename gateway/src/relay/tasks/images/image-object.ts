import { storedPhrase } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import type { Language } from '../../../http/language'
import { shownText } from '../../../platform/locales/sentence'
import type { TaskRow } from '../../../platform/store/tables'
import { openAiStatus, unixSeconds } from '../../../tasks/task-view'
import type { StoredTaskResponse } from '../../../tasks/task-answers'

/**
 * Returns images that are made in the background: the members that OpenAI's videos have for their state, and once they are there those of
 * its images. `data` is null until then, and again when they are not kept any more.
 */
export function imageObject(row: TaskRow, stored: StoredTaskResponse | null, language: Language): JsonObject {
  const status = openAiStatus(row)
  return {
    created: unixSeconds(row.submitted_at),
    data: null,
    ...stored?.body,
    id: row.public_id,
    object: 'image.generation',
    model: row.model,
    status,
    progress: row.progress,
    created_at: unixSeconds(row.submitted_at),
    completed_at: status === 'completed' ? unixSeconds(row.finished_at) : null,
    expires_at: stored?.expiresAt ?? null,
    error: status === 'failed' || status === 'cancelled' ? errorOf(row, status, language) : null,
  }
}

const errorOf = ({ fail_reason: reason }: TaskRow, status: string, language: Language): JsonObject => ({
  code: status === 'cancelled' ? 'cancelled' : 'image_generation_failed',
  message: shownText(reason || storedPhrase(status === 'cancelled' ? 'task.cancelled' : 'task.failed'), language),
})
