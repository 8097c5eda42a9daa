import { batchPlatform, type taskRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Language } from '../../http/language'
import { shownText } from '../../platform/locales/sentence'
import { canCancel } from '../../tasks/cancel-task'
import { readStoredParameters } from '../../tasks/stored-parameters'
import { readResults } from '../../tasks/task-store'
import type { ListedTask } from './find-tasks'
import { codeOf, resultsOf } from './task-results'
import { unixSeconds } from '../../tasks/task-view'

/** The site and the language that a task is shown in. */
interface Reader {
  readonly ctx: Pick<Context, 'catalog'>
  readonly language: Language
}

/** Returns a drawing as administrators see it. */
export const drawingEntity = (row: ListedTask, reader: Reader): taskRoutes.DrawingEntity => ({
  ...ownDrawing(row, reader),
  ...forOperators(row),
})

/** Returns a drawing as its owner sees it. */
export const ownDrawing = (row: ListedTask, reader: Reader): taskRoutes.OwnDrawing => {
  const common = commonPart(row, reader)
  return {
    ...common,
    mj_id: row.public_id,
    code: codeOf(row),
    prompt_en: row.prompt_en,
    image_url: imageAddress(row, reader),
    submit_time: row.submitted_at,
    start_time: row.started_at,
    finish_time: row.finished_at,
  }
}

/** Returns where programs find the picture: at this site, or at the vendor where the site wants that and the address holds no key. */
function imageAddress(row: ListedTask, { ctx }: Reader): string {
  const { MjForwardUrlEnabled: isForwarded, ServerAddress: site } = ctx.catalog.current.options
  const image = readResults(row).find(({ kind }) => kind === 'image')
  if (!image) return ''
  return isForwarded || image.isSecret || image.url === undefined ? `${site}/mj/image/${row.public_id}` : image.url
}

/** Returns another task as administrators see it. */
export const taskEntity = (row: ListedTask, reader: Reader): taskRoutes.TaskEntity => ({
  ...ownTask(row, reader),
  ...forOperators(row),
})

/** Returns another task as its owner sees it. */
export const ownTask = (row: ListedTask, reader: Reader): taskRoutes.OwnTask => {
  const { parameters = {}, left_out: leftOut = [] } = readStoredParameters(row)
  return {
    ...commonPart(row, reader),
    task_id: row.public_id,
    platform: row.platform,
    parameters,
    parameters_left_out: leftOut,
    submit_time: unixSeconds(row.submitted_at),
    start_time: unixSeconds(row.started_at),
    finish_time: unixSeconds(row.finished_at),
  }
}

const forOperators = (row: ListedTask) => ({
  username: row.username,
  channel_id: row.channel_id,
  channel_name: row.channel_name,
})

const commonPart = (row: ListedTask, reader: Reader) => ({
  id: row.id,
  created_at: unixSeconds(row.submitted_at),
  user_id: row.user_id,
  token_name: row.token_name,
  group: row.group,
  model: row.model,
  action: row.action,
  status: row.status,
  progress: `${row.progress}%`,
  // A batch has how far it is instead.
  prompt: row.platform === batchPlatform ? `${row.prompt} ${row.prompt_en}`.trim() : row.prompt,
  fail_reason: shownText(row.fail_reason, reader.language),
  quota: row.quota,
  held: row.held,
  results: resultsOf(row),
  can_cancel: canCancel(reader.ctx, row),
})
