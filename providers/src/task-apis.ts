import type { ActionWish, TaskApiFor } from './tasks'
import type { VideoApi } from './videos/video-wish'

/** How a vendor runs tasks, by platform. */
export interface TaskApis {
  readonly mj?: TaskApiFor<ActionWish>
  readonly suno?: TaskApiFor<ActionWish>
  readonly video?: VideoApi
}

/** The kinds of work that end later than the request that begins them, each with public routes of its own. */
export type TaskPlatform = keyof TaskApis
