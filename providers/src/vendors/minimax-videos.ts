import { objectOf, type JsonObject } from '@tollgate/dialects'

import { errorStatusOf, type ErrorStatuses } from '../provider'
import type { TaskReply, TaskReport, TaskUsage } from '../tasks'
import { nameInPath } from '../urls'
import { requestedRatio, nearestResolution, resolutionName } from '../videos/frame-size'
import { imageAddress, imagesOf } from '../videos/pictures'
import { isGood, numberIn, pick, present, refusedBy, requireId, stateOf, textIn } from '../videos/replies'
import { usualPace, type Image, type VideoApi, type VideoRequest } from '../videos/video-request'

const states = {
  Preparing: 'queued',
  Queueing: 'queued',
  Processing: 'in-progress',
  Success: 'success',
  Fail: 'failure',
  queued: 'queued',
  running: 'in-progress',
  succeeded: 'success',
  failed: 'failure',
  cancelled: 'cancelled',
} as const

/** The models that the second form of the API is for. */
const isSecond = (model: string): boolean => /^minimax-h\d/i.test(model)

const usualSeconds = (model: string): number => (isSecond(model) ? 5 : 6)

/** How many pictures of a request cost nothing. */
const freeImages = (model: string): number => (/-max$/i.test(model) ? 2 : 5)

/** The models named 01 know one resolution. */
function resolutionOf(request: VideoRequest, model: string): string {
  if (/-01(?:-|$)/.test(model)) return '720p'
  return nearestResolution(request, isSecond(model) ? ['768p', '480p', '1080p', '2k'] : ['768p', '512p', '1080p'])
}

/**
 * Hailuo. https://platform.minimax.io/docs/api-reference/video-generation-t2v and
 * https://platform.minimax.io/docs/api-reference/video-generation-v2-create; `errorStatuses` says what the vendor's codes mean.
 */
export const miniMaxVideos = (errorStatuses: ErrorStatuses): VideoApi => ({
  ...usualPace,
  accepts: (request, { model }) => ({
    seconds: request.seconds ?? usualSeconds(model),
    size: resolutionOf(request, model),
    ...(isSecond(model) && { images: Math.max(0, imagesOf(request).length - freeImages(model)) }),
  }),
  submit(request, { baseUrl, model, callbackUrl }) {
    if (request.origin) throw new TypeError('Hailuo cannot remix videos')
    const common = {
      ...pick(request.own, ['aigc_watermark']),
      model,
      duration: request.seconds ?? usualSeconds(model),
      resolution: resolutionOf(request, model).toUpperCase(),
      callback_url: callbackUrl,
    }
    return isSecond(model)
      ? { method: 'POST', url: `${baseUrl}/v2/video_generation`, body: present({ ...common, ...secondBody(request) }) }
      : { method: 'POST', url: `${baseUrl}/v1/video_generation`, body: present({ ...common, ...firstBody(request) }) }
  },
  readSubmission(reply) {
    const body = objectOf(reply.body)
    const { status_code: code = 0, status_msg: message } = objectOf(body['base_resp'])
    const id = textIn(body['task_id'])
    if (isGood(reply) && code === 0 && id !== undefined) return { kind: 'accepted', vendorId: id }
    if (code === 0) return refusedBy(reply, isGood(reply) ? 502 : reply.status)
    const status = errorStatusOf(errorStatuses, String(code)) ?? 502
    return { kind: 'refused', status, code: String(code), message: textIn(message) ?? '' }
  },
  fetch(ids, { baseUrl, model }) {
    const id = requireId(ids)
    return {
      method: 'GET',
      url: isSecond(model)
        ? `${baseUrl}/v2/query/video_generation/${nameInPath(id)}`
        : `${baseUrl}/v1/query/video_generation?task_id=${encodeURIComponent(id)}`,
    }
  },
  readReports: (reply, ids) => [{ vendorId: requireId(ids), ...reportOf(reply) }],
  content: {
    call: ({ fileId = '' }, _task, { baseUrl }) => ({
      method: 'GET',
      url: `${baseUrl}/v1/files/retrieve?file_id=${encodeURIComponent(fileId)}`,
    }),
    read({ body }) {
      const url = textIn(objectOf(objectOf(body)['file'])['download_url'])
      if (url === undefined) throw new TypeError('The vendor gave no address of the video')
      return { url }
    },
  },
})

function firstBody(request: VideoRequest): JsonObject {
  const { firstFrame, lastFrame, references } = request
  return present({
    ...pick(request.own, ['prompt_optimizer', 'fast_pretreatment']),
    prompt: request.prompt,
    first_frame_image: firstFrame && imageAddress(firstFrame),
    last_frame_image: lastFrame && imageAddress(lastFrame),
    subject_reference:
      references.length > 0 ? [{ type: 'character', image: references.slice(0, 1).map(imageAddress) }] : null,
  })
}

function secondBody(request: VideoRequest): JsonObject {
  const image = (role: string) => (sourceImage: Image) => ({
    type: 'image_url',
    image_url: { url: imageAddress(sourceImage) },
    role,
  })
  const { firstFrame, lastFrame, references } = request
  const fromText = imagesOf(request).length === 0
  return present({
    content: [
      { type: 'text', text: request.prompt },
      ...(firstFrame === null ? [] : [image('first_frame')(firstFrame)]),
      ...(lastFrame === null ? [] : [image('last_frame')(lastFrame)]),
      ...references.map(image('reference_image')),
    ],
    // Without a picture the ratio is required.
    ratio: requestedRatio(request) ?? (fromText ? '16:9' : null),
  })
}

function reportOf({ body }: TaskReply): Omit<TaskReport, 'vendorId'> {
  const answer = objectOf(body)
  const task = objectOf(answer['task'] ?? answer)
  const status = stateOf(states, task['status'])
  const { status_msg: statusMessage } = objectOf(answer['base_resp'])
  const failReason =
    textIn(objectOf(task['error'])['message']) ??
    textIn(task['error_message']) ??
    (statusMessage === 'success' ? undefined : textIn(statusMessage))
  const url = textIn(objectOf(task['content'])['url'])
  const fileId = textIn(task['file_id'])
  return {
    status,
    progress: null,
    ...(status === 'failure' && failReason !== undefined && { failReason }),
    ...(status === 'success' && {
      results: [
        ...(url === undefined ? [] : [{ kind: 'video' as const, url }]),
        ...(fileId === undefined ? [] : [{ kind: 'video' as const, fileId }]),
      ],
      usage: usageOf(task),
    }),
  }
}

function usageOf(task: JsonObject): TaskUsage {
  const { video_width: width, video_height: height } = task
  const seconds = numberIn(objectOf(task['usage'])['output_seconds']) ?? numberIn(task['duration'])
  const size =
    resolutionName(task['resolution']) ??
    (typeof width === 'number' && typeof height === 'number' ? resolutionName(`${width}x${height}`) : null)
  return { ...(seconds !== undefined && { seconds }), ...(size !== null && { size }) }
}
