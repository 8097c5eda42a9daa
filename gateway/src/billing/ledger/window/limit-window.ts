import type { windowRoutes } from '@tollgate/contract'

import type { Schedule } from './schedule'

/** A limit that begins anew, as it applies to one caller. */
export interface LimitWindow {
  readonly id: number
  readonly owner: windowRoutes.WindowOwner
  /** The id of the key, user or channel whose calls it counts. */
  readonly subjectId: number
  /** Tells it from the same window of others. */
  readonly account: string
  readonly name: string
  readonly measure: windowRoutes.WindowMeasure
  readonly limit: number
  readonly schedule: Schedule
  /** The model with which a call goes on that the window would refuse; null: it is refused. */
  readonly fallbackModel: string | null
}

/** `since`: when a limit that never resets began to count, where that is not from the first call on. */
export const accountOfWindow = (id: number, subjectId: number, since = 0): string =>
  since === 0 ? `${id}:${subjectId}` : `${id}:${subjectId}:${since}`

/** Returns what may be drawn in a period: the limit and its grace. */
export const capacityOf = (limit: number, gracePercent: number): number =>
  limit + Math.floor((limit * gracePercent) / 100)
