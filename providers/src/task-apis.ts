import type { ActionRequest, TaskApiFor } from './tasks'
import type { VideoApi } from './videos/video-request'

/** Platforms whose submissions reach a vendor as the client wrote them: an action with its documented fields. */
export const actionPlatforms = ['mj', 'suno'] as const
export type ActionPlatform = (typeof actionPlatforms)[number]

/** How a vendor runs tasks, by platform. */
export interface TaskApis extends Readonly<Partial<Record<ActionPlatform, TaskApiFor<ActionRequest>>>> {
  readonly video?: VideoApi
}

/** The kinds of work that end later than the request that begins them, each with public routes of its own. */
export type TaskPlatform = keyof TaskApis
