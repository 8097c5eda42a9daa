import type { JsonObject } from '@tollgate/dialects'
import type { Provider, TaskTarget, VideoApi, VideoRequest } from '@tollgate/providers'

import { AppError } from '../../../platform/app-error'
import type { TaskRow } from '../../../platform/store/tables'
import { originTask, type TaskOrder } from '../task-order'
import type { VideoSubmission } from './read-video-request'
import { readShownRequest, shownRequest } from './video-object'

/** Returns what a client asks for as the engine of tasks takes it. */
export const videoOrder = ({ model, request, webhook }: VideoSubmission): TaskOrder => ({
  ...orderOf(model, request),
  webhook,
  action: 'GENERATE',
  request: shownRequest(request),
})

/** Returns a remix of a video: as long and as large, with another prompt, at the account that made it. */
export function remixOrder({ request, webhook }: Omit<VideoSubmission, 'model'>, origin: TaskRow): TaskOrder {
  const { seconds, resolution } = readShownRequest(origin)
  const remix: VideoRequest = { ...request, seconds, resolution, origin: originTask(origin) }
  const shown: JsonObject = { ...shownRequest(remix), remixed_from: origin.public_id }
  return { ...orderOf(origin.model, remix), webhook, action: 'REMIX', request: shown, origin }
}

const orderOf = (model: string, request: VideoRequest): Omit<TaskOrder, 'action' | 'request'> => ({
  platform: 'video',
  model,
  prompt: request.prompt,
  accepts: (provider, target) => apiOf(provider, target).accepts(request, target),
  write: (provider, target) => apiOf(provider, target).submit(request, target),
})

/** @throws AppError `endpoint.unsupported` */
function apiOf({ tasks }: Provider, { model }: TaskTarget): VideoApi {
  if (!tasks?.video) throw new AppError('endpoint.unsupported', { params: { model } })
  return tasks.video
}
