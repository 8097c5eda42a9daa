import { objectOf, objectsOf, type JsonObject } from '@tollgate/dialects'

import type { TaskReport, TaskUsage } from '../tasks'
import { nameInPath } from '../urls'
import { requestedRatio, nearestResolution, resolutionName } from '../videos/frame-size'
import { imageAddress } from '../videos/pictures'
import { isGood, numberIn, pick, present, refusedBy, stateOf, textIn } from '../videos/replies'
import { usualPace, type Image, type VideoApi, type VideoRequest } from '../videos/video-request'

const usualSeconds = 5
const framesPerSecond = 24

const states = {
  queued: 'queued',
  pending: 'queued',
  running: 'in-progress',
  processing: 'in-progress',
  succeeded: 'success',
  failed: 'failure',
  expired: 'failure',
  cancelled: 'cancelled',
} as const

/** Parameters that do not change the price. */
const ownMembers = ['camera_fixed', 'watermark', 'return_last_frame', 'safety_identifier', 'output_format'] as const

/** The most pixels of a frame, over all ratios. */
const maxPixels: Readonly<Record<string, number>> = {
  '480p': 1000 * 450,
  '720p': 1280 * 768,
  '1080p': 2208 * 960,
  '2k': 2560 * 1600,
  '4k': 3840 * 2304,
}

const path = '/api/v3/contents/generations/tasks'
const maxIds = 20

/** ByteDance's Seedance in Volcengine Ark. https://www.volcengine.com/docs/82379/1520757 */
export const seedanceVideos: VideoApi = {
  ...usualPace,
  batch: maxIds,
  accepts: (request) => {
    const { seconds, resolution } = sizeOf(request)
    const pixels = maxPixels[resolution] ?? 3840 * 2304
    return {
      seconds,
      size: resolution,
      completionTokens: Math.ceil((pixels * framesPerSecond * seconds) / 1024),
      ...(request.hasSound === true && { quality: 'sound' }),
    }
  },
  submit(request, { baseUrl, model, callbackUrl }) {
    if (request.origin) throw new TypeError('Seedance cannot remix videos')
    const { seconds, resolution } = sizeOf(request)
    return {
      method: 'POST',
      url: `${baseUrl}${path}`,
      body: present({
        ...pick(request.own, ownMembers),
        model,
        content: contentOf(request),
        resolution,
        ratio: requestedRatio(request, ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']),
        duration: seconds,
        seed: request.seed,
        generate_audio: request.hasSound,
        callback_url: callbackUrl,
      }),
    }
  },
  readSubmission(reply) {
    const id = textIn(objectOf(reply.body)['id'])
    return isGood(reply) && id !== undefined ? { kind: 'accepted', vendorId: id } : refusedBy(reply)
  },
  fetch(ids, { baseUrl }) {
    const [only] = ids
    if (ids.length === 1 && only !== undefined) return { method: 'GET', url: `${baseUrl}${path}/${nameInPath(only)}` }
    const requested = ids.map((id) => `&filter.task_ids=${encodeURIComponent(id)}`).join('')
    return { method: 'GET', url: `${baseUrl}${path}?page_num=1&page_size=${ids.length}${requested}` }
  },
  readReports: ({ body }) => {
    const answer = objectOf(body)
    const tasks = Array.isArray(answer['items']) ? objectsOf(answer['items']) : [answer]
    return tasks.flatMap((task) => {
      const id = textIn(task['id'])
      return id === undefined ? [] : [{ vendorId: id, ...reportOf(task) }]
    })
  },
  cancel: (id, { baseUrl }) => ({ method: 'DELETE', url: `${baseUrl}${path}/${nameInPath(id)}` }),
}

const sizeOf = (request: VideoRequest) => ({
  seconds: request.seconds ?? usualSeconds,
  resolution: nearestResolution(request, ['720p', '480p', '1080p', '4k']),
})

function contentOf(request: VideoRequest): readonly JsonObject[] {
  const image = (role: string) => (sourceImage: Image) => ({
    type: 'image_url',
    image_url: { url: imageAddress(sourceImage) },
    role,
  })
  const { firstFrame, lastFrame, references } = request
  return [
    { type: 'text', text: request.prompt },
    ...(firstFrame === null ? [] : [image('first_frame')(firstFrame)]),
    ...(lastFrame === null ? [] : [image('last_frame')(lastFrame)]),
    ...references.map(image('reference_image')),
  ]
}

function reportOf(task: JsonObject): Omit<TaskReport, 'vendorId'> {
  const status = stateOf(states, task['status'])
  const { video_url: video, last_frame_url: lastFrame } = objectOf(task['content'])
  const failReason = textIn(objectOf(task['error'])['message'])
  return {
    status,
    progress: null,
    ...(failReason !== undefined && { failReason }),
    ...(status === 'success' && {
      results: [
        ...(typeof video === 'string' ? [{ kind: 'video' as const, url: video }] : []),
        ...(typeof lastFrame === 'string' ? [{ kind: 'image' as const, url: lastFrame }] : []),
      ],
      usage: usageOf(task),
    }),
  }
}

function usageOf(task: JsonObject): TaskUsage {
  const seconds = numberIn(task['duration'])
  const size = resolutionName(task['resolution'])
  const completionTokens = numberIn(objectOf(task['usage'])['completion_tokens'])
  return {
    ...(seconds !== undefined && { seconds }),
    ...(size !== null && { size }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(task['generate_audio'] === true && { quality: 'sound' }),
  }
}
