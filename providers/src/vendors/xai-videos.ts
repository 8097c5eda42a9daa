import { objectOf } from '@tollgate/dialects'

import type { TaskReply, TaskReport } from '../tasks'
import { nameInPath } from '../urls'
import { requestedRatio, nearestResolution } from '../videos/frame-size'
import { imageAddress, imagesOf } from '../videos/pictures'
import { isGood, numberIn, present, refusedBy, requireId, stateOf, textIn } from '../videos/replies'
import { usualPace, type VideoApi, type VideoRequest } from '../videos/video-request'

const usualSeconds = 8
/** The longest video that can be edited, in whole seconds. */
const maxEdited = 9

const states = { pending: 'in-progress', done: 'success', expired: 'failure', failed: 'failure' } as const

const resolutionOf = (request: VideoRequest): string => nearestResolution(request, ['480p', '720p', '1080p'])

/** https://docs.x.ai/docs/guides/video-generation */
export const xAiVideos: VideoApi = {
  ...usualPace,
  pollMs: [5000, 5000, 10_000],
  accepts: (request) =>
    request.origin
      ? { seconds: maxEdited, size: '720p', images: 0 }
      : {
          seconds: request.seconds ?? usualSeconds,
          size: resolutionOf(request),
          images: imagesOf(request).length,
        },
  submit(request, { baseUrl, model }) {
    const { origin, prompt, firstFrame, lastFrame, references } = request
    if (origin) {
      const url = textIn(origin.data['video_url'])
      if (url === undefined) throw new TypeError('The video to remix has no address')
      return { method: 'POST', url: `${baseUrl}/v1/videos/edits`, body: { model, prompt, video: { url } } }
    }
    if (lastFrame !== null) throw new TypeError('Grok takes no last frame')
    return {
      method: 'POST',
      url: `${baseUrl}/v1/videos/generations`,
      body: present({
        model,
        prompt,
        duration: request.seconds ?? usualSeconds,
        resolution: resolutionOf(request),
        aspect_ratio: requestedRatio(request, ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3']),
        image: firstFrame && { url: imageAddress(firstFrame) },
        reference_images:
          references.length > 0 ? references.map((reference) => ({ url: imageAddress(reference) })) : null,
      }),
    }
  },
  readSubmission(reply) {
    const id = textIn(objectOf(reply.body)['request_id'])
    return isGood(reply) && id !== undefined ? { kind: 'accepted', vendorId: id } : refusedBy(reply)
  },
  fetch: (ids, { baseUrl }) => ({ method: 'GET', url: `${baseUrl}/v1/videos/${nameInPath(requireId(ids))}` }),
  readReports: (reply, ids) => [{ vendorId: requireId(ids), ...reportOf(reply) }],
}

function reportOf({ body }: TaskReply): Omit<TaskReport, 'vendorId'> {
  const task = objectOf(body)
  const video = objectOf(task['video'])
  const url = textIn(video['url'])
  const status = task['status'] === undefined && url !== undefined ? 'success' : stateOf(states, task['status'])
  if (video['respect_moderation'] === false || (status === 'success' && url === undefined))
    return { status: 'failure', progress: null, failReason: 'The vendor withheld the video' }
  const failReason = textIn(objectOf(task['error'])['message'])
  const seconds = numberIn(video['duration'])
  return {
    status,
    progress: numberIn(task['progress']) ?? null,
    ...(failReason !== undefined && { failReason }),
    ...(url !== undefined && { results: [{ kind: 'video', url }], data: { video_url: url } }),
    ...(seconds !== undefined && { usage: { seconds } }),
  }
}
