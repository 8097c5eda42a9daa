import type { ActionRequest, TaskApiFor } from './tasks'
import type { VideoApi } from './videos/video-request'

/** How a vendor runs tasks, by platform. */
export interface TaskApis {
  readonly mj?: TaskApiFor<ActionRequest>
  readonly suno?: TaskApiFor<ActionRequest>
  readonly video?: VideoApi
}

/** The kinds of work that end later than the request that begins them, each with public routes of its own. */
export type TaskPlatform = keyof TaskApis
