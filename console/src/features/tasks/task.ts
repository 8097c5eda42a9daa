import { batchPlatform, hasEnded, type taskRoutes } from '@tollgate/contract'

/** A drawing or another task, as both logs show it. Times are unix seconds; 0: not yet. */
export interface Task {
  readonly id: number
  /** Its public id. */
  readonly taskId: string
  readonly platform: string
  readonly action: string
  readonly model: string
  readonly status: string
  /** 0 to 100; null where it is unknown. */
  readonly percent: number | null
  readonly submittedAt: number
  readonly startedAt: number
  readonly finishedAt: number
  readonly prompt: string
  /** What was asked for besides, as far as it is kept. */
  readonly parameters: taskRoutes.TaskParameters
  /** Members of the request that were too large to be kept. */
  readonly lostFields: readonly string[]
  /** The prompt as it was translated for the vendor; empty: it was not. */
  readonly promptEn: string
  readonly failReason: string
  readonly results: readonly taskRoutes.TaskResult[]
  readonly quota: number
  readonly held: number
  readonly canCancel: boolean
  readonly tokenName: string
  readonly group: string
  /** Result of the submission; drawings only. */
  readonly code?: number
  readonly userId: number
  readonly username?: string
  readonly channelId?: number
  readonly channelName?: string
}

type Drawing = taskRoutes.OwnDrawing & Partial<taskRoutes.DrawingEntity>
type OtherTask = taskRoutes.OwnTask & Partial<taskRoutes.TaskEntity>

export const taskOfDrawing = (row: Drawing): Task => ({
  ...commonPart(row),
  taskId: row.mj_id,
  platform: 'mj',
  promptEn: row.prompt_en,
  parameters: {},
  lostFields: [],
  code: row.code,
  submittedAt: row.submit_time / 1000,
  startedAt: row.start_time / 1000,
  finishedAt: row.finish_time / 1000,
})

export const taskOf = (row: OtherTask): Task => ({
  ...commonPart(row),
  taskId: row.task_id,
  platform: row.platform,
  promptEn: '',
  parameters: row.parameters,
  lostFields: row.parameters_left_out,
  submittedAt: row.submit_time,
  startedAt: row.start_time,
  finishedAt: row.finish_time,
})

const commonPart = (row: Drawing | OtherTask) => ({
  id: row.id,
  action: row.action,
  model: row.model,
  status: row.status,
  percent: percentIn(row.progress),
  prompt: row.prompt,
  failReason: row.fail_reason,
  results: row.results,
  quota: row.quota,
  held: row.held,
  canCancel: row.can_cancel,
  tokenName: row.token_name,
  group: row.group,
  userId: row.user_id,
  username: row.username,
  channelId: row.channel_id,
  channelName: row.channel_name,
})

function percentIn(progress: string): number | null {
  const [, digits] = /^(\d{1,3})%$/.exec(progress) ?? []
  return digits === undefined ? null : Math.min(Number(digits), 100)
}

export const isOpen = (task: Task): boolean => !hasEnded(task)

/** Returns how long a task took; undefined until it has ended. */
export const secondsOf = ({ submittedAt, finishedAt }: Task): number | undefined =>
  submittedAt > 0 && finishedAt > 0 ? Math.max(finishedAt - submittedAt, 0) : undefined

const slowSeconds = 60

export const isSlow = (seconds: number): boolean => seconds > slowSeconds

/** Many calls in the background, which may take a day. */
export const isBatch = ({ platform }: Pick<Task, 'platform'>): boolean => platform === batchPlatform
