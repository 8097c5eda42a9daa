import * as z from 'zod'

import { listOf, PageQuery, sortQuery } from '../http/paging'
import { fileRoute, route } from '../http/route'
import { idText, linesText, plainText, wholeNumberText } from '../pricing/units'

/** Rows are counted up to this number, and pages lead no further; filters do. */
export const maxCountedTasks = 10_000

const fileKinds = ['image', 'video', 'audio'] as const

/** What a task made: a file, or a text. */
export const TaskResult = z.object({
  kind: z.enum([...fileKinds, 'text']),
  /** A path of this site that opens for readers of the task in their browser; empty for a text. */
  url: z.string(),
  title: z.string(),
  /** A text, or the lyrics of a song. */
  text: z.string(),
})
export type TaskResult = z.output<typeof TaskResult>

const common = {
  id: z.int(),
  /** Unix seconds. */
  created_at: z.int(),
  user_id: z.int(),
  token_name: z.string(),
  group: z.string(),
  model: z.string(),
  action: z.string(),
  /** One of `taskStatuses`, another one, or empty while it is being submitted. */
  status: z.string(),
  /** As in `45%`. */
  progress: z.string(),
  prompt: z.string(),
  fail_reason: z.string(),
  /** What it cost; 0 until it has ended. */
  quota: z.int(),
  /** What is held for it until it has ended. */
  held: z.int(),
  results: z.array(TaskResult),
  /** Its vendor can stop it, and charges nothing then. */
  can_cancel: z.boolean(),
}

const OwnDrawing = z.object({
  ...common,
  mj_id: z.string(),
  /** The submission's result: 0 not submitted, 1 submitted, 21 waiting, 22 submitted twice. */
  code: z.int(),
  prompt_en: z.string(),
  image_url: z.string(),
  /** Milliseconds; 0: not yet. */
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
})

/** What a request had besides model and prompt, by the names of its members. */
export const TaskParameters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
export type TaskParameters = z.output<typeof TaskParameters>

const OwnTask = z.object({
  ...common,
  task_id: z.string(),
  platform: z.string(),
  /** As far as they are kept: no files, and only pictures that have an address. */
  parameters: TaskParameters,
  /** Names of those that are not kept. */
  parameters_left_out: z.array(z.string()),
  /** Unix seconds; 0: not yet. */
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
})

/** What users do not see. */
const forOperators = {
  username: z.string(),
  channel_id: z.int(),
  channel_name: z.string(),
}

export const DrawingEntity = OwnDrawing.extend(forOperators)
export type DrawingEntity = z.output<typeof DrawingEntity>
export type OwnDrawing = z.output<typeof OwnDrawing>

export const TaskEntity = OwnTask.extend(forOperators)
export type TaskEntity = z.output<typeof TaskEntity>
export type OwnTask = z.output<typeof OwnTask>

const exact = plainText(255).trim().optional()

/** Times are inclusive: of drawings in milliseconds, of other tasks in seconds. */
const range = { start_timestamp: wholeNumberText.optional(), end_timestamp: wholeNumberText.optional() }

const filters = {
  ...range,
  status: exact,
  action: exact,
  /** These rows, one id per line: to ask for the progress of those that are shown. */
  ids: linesText(100)
    .pipe(z.array(z.coerce.number<string>().int().positive().max(Number.MAX_SAFE_INTEGER)))
    .optional(),
}
const operatorFilters = { channel_id: wholeNumberText.optional(), username: exact }

/** Sorts the newest `maxCountedTasks` within the filters. `duration` counts from the submission; a task that has not ended comes last. */
export const taskSorts = ['duration', 'cost'] as const
export type TaskSort = (typeof taskSorts)[number]

const Order = sortQuery(taskSorts)

const OwnDrawingQuery = PageQuery.extend({ ...filters, ...Order, mj_id: exact })
const DrawingQuery = OwnDrawingQuery.extend(operatorFilters)
export type DrawingQuery = z.output<typeof DrawingQuery>

const OwnTaskQuery = PageQuery.extend({ ...filters, ...Order, task_id: exact, platform: exact })
const TaskQuery = OwnTaskQuery.extend(operatorFilters)
export type TaskQuery = z.output<typeof TaskQuery>

/** Set where there are more rows than were counted. */
const Counted = { total_is_lower_bound: z.boolean() }

export const listDrawings = route({
  method: 'GET',
  path: '/api/mj',
  access: 'logs.read',
  summary: 'Drawings of all users, newest first; pages count from 0',
  query: DrawingQuery,
  data: listOf(DrawingEntity).extend(Counted),
})

export const listOwnDrawings = route({
  method: 'GET',
  path: '/api/mj/self',
  access: 'calls',
  isViewable: true,
  summary: 'Drawings of the caller, newest first, without what concerns channels; pages count from 0',
  query: OwnDrawingQuery,
  data: listOf(OwnDrawing).extend(Counted),
})

export const listTasks = route({
  method: 'GET',
  path: '/api/task',
  access: 'logs.read',
  summary: 'Music, video and other tasks of all users, newest first; pages count from 0',
  query: TaskQuery,
  data: listOf(TaskEntity).extend(Counted),
})

export const listOwnTasks = route({
  method: 'GET',
  path: '/api/task/self',
  access: 'calls',
  isViewable: true,
  summary:
    'Music, video and other tasks of the caller, newest first, without what concerns channels; pages count from 0',
  query: OwnTaskQuery,
  data: listOf(OwnTask).extend(Counted),
})

const Id = z.object({ id: idText(z.int().positive().max(Number.MAX_SAFE_INTEGER)) })

export const cancelTask = route({
  method: 'POST',
  path: '/api/task/{id}/cancel',
  isCompound: true,
  audit: 'user.cancel_task',
  access: 'users.write',
  summary: 'Cancel a task of any user, where its vendor can, and give back what was held for it',
  params: Id,
})

export const cancelOwnTask = route({
  method: 'POST',
  path: '/api/task/self/{id}/cancel',
  isCompound: true,
  audit: 'self.cancel_task',
  access: 'self.write',
  summary: 'Cancel a task of the caller, where its vendor can, and give back what was held for it',
  params: Id,
})

export const openTaskResult = fileRoute({
  method: 'GET',
  path: '/api/task/result/{id}/{kind}/{index}',
  access: 'optional',
  scope: 'calls',
  isSameSiteOnly: true,
  media: 'application/octet-stream',
  summary: 'A file that a task made, by the public id of the task, for readers of the task; ranges are served',
  params: z.object({
    id: plainText(64),
    kind: z.enum(fileKinds),
    /** Among those of its kind; 0 is the first. */
    index: idText(z.int().min(0).max(999)),
  }),
})
