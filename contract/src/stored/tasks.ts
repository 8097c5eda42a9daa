/** States of a task that ends later than its request. Rows of later releases may have others. */
export const taskStatuses = [
  /** No vendor has accepted it yet. */
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  /** The vendor waits for more input. */
  'MODAL',
  'SUCCESS',
  'FAILURE',
  'CANCEL',
  'UNKNOWN',
] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** States that a task never leaves. */
export const endedTaskStatuses = ['SUCCESS', 'FAILURE', 'CANCEL'] as const satisfies readonly TaskStatus[]

const ended: ReadonlySet<string> = new Set(endedTaskStatuses)

/** Returns whether a task has its final state. */
export const hasEnded = ({ status }: { readonly status: string }): boolean => ended.has(status)

/** Kinds of work that a vendor finishes after the request that submits it, each with public routes of its own. */
export const vendorPlatforms = ['mj', 'suno', 'video'] as const
/** Calls of models in the background, which the gateway makes itself. */
export const backgroundPlatforms = ['image', 'response'] as const

/** Many calls at once, each of which is charged when it is done. */
export const batchPlatform = 'batch'

export const taskPlatforms = [...vendorPlatforms, ...backgroundPlatforms, batchPlatform] as const
export type TaskPlatform = (typeof taskPlatforms)[number]

/** Platforms of the task log; drawings have a log of their own. */
export const loggedPlatforms = /* @__PURE__ */ taskPlatforms.filter((platform) => platform !== 'mj')
