import type { JsonObject } from '@tollgate/dialects'

import type { Language } from '../http/language'
import { shownText } from '../platform/locales/sentence'
import type { TaskRow } from '../platform/store/tables'
import { readObject } from './task-store'

/** Returns a task as Suno-API writes it; times in seconds. */
export function songShape(task: TaskRow, language: Language): JsonObject {
  const { songs = null } = readObject(task.data)
  return {
    task_id: task.public_id,
    notify_hook: '',
    action: task.action,
    status: task.status,
    fail_reason: shownText(task.fail_reason, language),
    submit_time: seconds(task.submitted_at),
    start_time: seconds(task.started_at),
    finish_time: seconds(task.finished_at),
    progress: `${task.progress}%`,
    search_item: '',
    data: songs,
  }
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
