import { objectOf } from '@tollgate/dialects'

import type { TaskCall, TaskReply, TaskReport, TaskTarget } from '../tasks'
import { nameInPath } from '../urls'
import { requestedResolution, resolutionName } from './frame-size'
import { imageFile } from './pictures'
import { isGood, numberIn, present, refusedBy, requireId, stateOf, textIn } from './replies'
import { usualPace, type VideoApi, type VideoRequest } from './video-request'

const usualSeconds = 4

const states = {
  queued: 'queued',
  pending: 'queued',
  in_progress: 'in-progress',
  processing: 'in-progress',
  completed: 'success',
  failed: 'failure',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  expired: 'failure',
} as const

/** What can be downloaded of a finished video. */
const variants = ['thumbnail', 'spritesheet'] as const

/**
 * OpenAI's form of videos, as OpenAI had it and other gateways keep it. https://platform.openai.com/docs/api-reference/videos
 * `rootOf` returns the address up to `/v1` of a channel's base URL.
 */
export const openAiVideos = (rootOf = (baseUrl: string): string => `${baseUrl}/v1`): VideoApi => ({
  ...usualPace,
  accepts: (request) => ({
    seconds: request.seconds ?? usualSeconds,
    size: requestedResolution(request) ?? '720p',
    ...(request.quality !== null && { quality: request.quality }),
  }),
  submit(request, target) {
    const root = rootOf(target.baseUrl)
    if (!request.origin) return { method: 'POST', url: `${root}/videos`, ...bodyOf(request, target) }
    return {
      method: 'POST',
      url: `${root}/videos/${nameInPath(request.origin.vendorId)}/remix`,
      body: { prompt: request.prompt },
    }
  },
  readSubmission(reply) {
    const video = objectOf(reply.body)
    const id = textIn(video['id']) ?? textIn(video['task_id'])
    if (!isGood(reply) || id === undefined) return refusedBy(reply)
    return { kind: 'accepted', vendorId: id, report: reportOf(reply) }
  },
  fetch: (ids, { baseUrl }) => ({ method: 'GET', url: `${rootOf(baseUrl)}/videos/${nameInPath(requireId(ids))}` }),
  readReports: (reply, ids) => [{ vendorId: requireId(ids), ...reportOf(reply) }],
  content: {
    call: ({ fileId }, { vendorId }, { baseUrl }) => {
      const variant = fileId === 'video' ? '' : `?variant=${fileId}`
      return { method: 'GET', url: `${rootOf(baseUrl)}/videos/${nameInPath(vendorId)}/content${variant}` }
    },
  },
})

/** A picture goes as a file, as the official SDKs send it; one at an address is named. */
function bodyOf(request: VideoRequest, { model }: Pick<TaskTarget, 'model'>): Pick<TaskCall, 'body' | 'isForm'> {
  const { firstFrame, references, frame } = request
  const image = firstFrame ?? references[0] ?? null
  const file = image && imageFile(image)
  const body = present({
    model,
    prompt: request.prompt,
    seconds: String(request.seconds ?? usualSeconds),
    size: frame && `${frame.width}x${frame.height}`,
    resolution: request.resolution,
    aspect_ratio: request.aspectRatio,
    quality: request.quality,
    negative_prompt: request.negativePrompt,
    seed: request.seed,
    input_reference: file ?? (image === null ? null : { image_url: image }),
  })
  return { body, ...(file && { isForm: true }) }
}

function reportOf({ body }: TaskReply): Omit<TaskReport, 'vendorId'> {
  const video = objectOf(body)
  const status = stateOf(states, video['status'])
  const seconds = numberIn(video['seconds'])
  const size = resolutionName(video['size'])
  const failReason = textIn(objectOf(video['error'])['message'])
  return {
    status,
    progress: numberIn(video['progress']) ?? null,
    ...(failReason !== undefined && { failReason }),
    ...(status === 'success' && {
      results: [{ kind: 'video', fileId: 'video' }, ...variants.map((fileId) => ({ kind: 'image', fileId }) as const)],
    }),
    usage: { ...(seconds !== undefined && { seconds }), ...(size !== null && { size }) },
  }
}
