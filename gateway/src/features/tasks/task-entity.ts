import type { taskRoutes } from '@tollgate/contract'

import type { Language } from '../../http/language'
import { shownText } from '../../http/shown-text'
import type { ListedTask } from './find-tasks'
import { codeOf, resultsOf } from './task-results'

/** Returns a drawing as administrators see it. */
export const drawingEntity = (row: ListedTask, language: Language): taskRoutes.DrawingEntity => ({
  ...ownDrawing(row, language),
  ...forOperators(row),
})

/** Returns a drawing as its owner sees it. */
export const ownDrawing = (row: ListedTask, language: Language): taskRoutes.OwnDrawing => {
  const common = commonPart(row, language)
  return {
    ...common,
    mj_id: row.public_id,
    code: codeOf(row),
    prompt_en: row.prompt_en,
    image_url: common.results.find(({ kind }) => kind === 'image')?.url ?? '',
    submit_time: row.submitted_at,
    start_time: row.started_at,
    finish_time: row.finished_at,
  }
}

/** Returns another task as administrators see it. */
export const taskEntity = (row: ListedTask, language: Language): taskRoutes.TaskEntity => ({
  ...ownTask(row, language),
  ...forOperators(row),
})

/** Returns another task as its owner sees it. */
export const ownTask = (row: ListedTask, language: Language): taskRoutes.OwnTask => ({
  ...commonPart(row, language),
  task_id: row.public_id,
  platform: row.platform,
  submit_time: inSeconds(row.submitted_at),
  start_time: inSeconds(row.started_at),
  finish_time: inSeconds(row.finished_at),
})

const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

const forOperators = (row: ListedTask) => ({
  username: row.username,
  channel_id: row.channel_id,
  channel_name: row.channel_name,
})

const commonPart = (row: ListedTask, language: Language) => ({
  id: row.id,
  created_at: inSeconds(row.submitted_at),
  user_id: row.user_id,
  token_name: row.token_name,
  group: row.group,
  model: row.model,
  action: row.action,
  status: row.status,
  progress: `${row.progress}%`,
  prompt: row.prompt,
  fail_reason: shownText(row.fail_reason, language),
  quota: row.quota,
  held: row.held,
  results: resultsOf(row),
})
