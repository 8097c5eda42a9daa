import { objectOf, type JsonObject } from '@tollgate/dialects'

import { errorStatusOf, type ErrorStatuses } from '../provider'
import type { TaskReply, TaskReport, TaskUsage } from '../tasks'
import { nameInPath } from '../urls'
import { requestedRatio, nearestResolution, resolutionName } from '../videos/frame-size'
import { imageAddress } from '../videos/pictures'
import { isGood, numberIn, pick, present, refusedBy, requireId, stateOf, textIn } from '../videos/replies'
import { usualPace, type Image, type VideoApi, type VideoRequest } from '../videos/video-request'

const usualSeconds = 5

const states = {
  PENDING: 'queued',
  RUNNING: 'in-progress',
  SUCCEEDED: 'success',
  FAILED: 'failure',
  CANCELED: 'cancelled',
  UNKNOWN: 'unknown',
} as const

/** Parameters that do not change the price. */
const ownMembers = ['prompt_extend', 'watermark', 'shot_type'] as const

/** Models before Wan 2.7 name their pictures and sizes in another way. */
const isOlder = (model: string): boolean => /^wanx|^wan2\.[1-6](?!\d)/.test(model)

const resolutionOf = (request: VideoRequest): string => nearestResolution(request, ['720p', '480p', '1080p'])

/** https://help.aliyun.com/zh/model-studio/text-to-video-api-reference; `errorStatuses` says what the vendor's codes mean. */
export const dashScopeVideos = (errorStatuses: ErrorStatuses): VideoApi => ({
  ...usualPace,
  pollMs: [15_000],
  accepts: (request) => ({ seconds: request.seconds ?? usualSeconds, size: resolutionOf(request) }),
  submit(request, { baseUrl, model }) {
    if (request.origin) throw new TypeError('Wan cannot remix videos')
    const { firstFrame, lastFrame } = request
    const service = isOlder(model) && firstFrame !== null && lastFrame !== null ? 'image2video' : 'video-generation'
    return {
      method: 'POST',
      url: `${baseUrl}/api/v1/services/aigc/${service}/video-synthesis`,
      headers: { 'x-dashscope-async': 'enable' },
      body: { model, ...(isOlder(model) ? olderBody(request) : newerBody(request)) },
    }
  },
  readSubmission(reply) {
    const body = objectOf(reply.body)
    const id = textIn(objectOf(body['output'])['task_id'])
    if (isGood(reply) && id !== undefined) return { kind: 'accepted', vendorId: id }
    const status = errorStatusOf(errorStatuses, textIn(body['code']) ?? '')
    return refusedBy(reply, status ?? (isGood(reply) ? 502 : reply.status))
  },
  fetch: (ids, { baseUrl }) => ({ method: 'GET', url: `${baseUrl}/api/v1/tasks/${nameInPath(requireId(ids))}` }),
  readReports: (reply, ids) => [{ vendorId: requireId(ids), ...reportOf(reply) }],
  cancel: (id, { baseUrl }) => ({ method: 'POST', url: `${baseUrl}/api/v1/tasks/${nameInPath(id)}/cancel` }),
})

function newerBody(request: VideoRequest): JsonObject {
  const media = (type: string) => (image: Image) => ({ type, url: imageAddress(image) })
  const { firstFrame, lastFrame, references } = request
  const images = [
    ...(firstFrame === null ? [] : [media('first_frame')(firstFrame)]),
    ...(lastFrame === null ? [] : [media('last_frame')(lastFrame)]),
    ...references.map(media('reference_image')),
  ]
  return {
    input: present({
      prompt: request.prompt,
      negative_prompt: request.negativePrompt,
      media: images.length > 0 ? images : null,
    }),
    parameters: present({
      ...common(request),
      resolution: resolutionOf(request).toUpperCase(),
      ratio: requestedRatio(request),
    }),
  }
}

/** Sizes of each ratio that older models know. */
const sizes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '480p': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
  '720p': { '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960', '4:3': '1088*832', '3:4': '832*1088' },
  '1080p': { '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440', '4:3': '1632*1248', '3:4': '1248*1632' },
}

function olderBody(request: VideoRequest): JsonObject {
  const { firstFrame, lastFrame, references } = request
  const resolution = resolutionOf(request)
  const hasImage = firstFrame !== null || lastFrame !== null
  const between = firstFrame !== null && lastFrame !== null
  const size = sizes[resolution]?.[requestedRatio(request) ?? '16:9']
  return {
    input: present({
      prompt: request.prompt,
      negative_prompt: request.negativePrompt,
      img_url: firstFrame !== null && !between ? imageAddress(firstFrame) : null,
      first_frame_url: between ? imageAddress(firstFrame) : null,
      last_frame_url: lastFrame && imageAddress(lastFrame),
      reference_urls: references.length > 0 ? references.map(imageAddress) : null,
    }),
    parameters: present({ ...common(request), ...(hasImage ? { resolution: resolution.toUpperCase() } : { size }) }),
  }
}

const common = (request: VideoRequest): JsonObject =>
  present({
    ...pick(request.own, ownMembers),
    duration: request.seconds ?? usualSeconds,
    seed: request.seed,
    audio: request.hasSound,
  })

function reportOf({ body }: TaskReply): Omit<TaskReport, 'vendorId'> {
  const answer = objectOf(body)
  const output = objectOf(answer['output'])
  const status = stateOf(states, output['task_status'])
  const failReason = textIn(output['message']) ?? textIn(output['code'])
  const url = textIn(output['video_url'])
  return {
    status,
    progress: null,
    ...(status === 'failure' && failReason !== undefined && { failReason }),
    ...(status === 'success' && {
      results: url === undefined ? [] : [{ kind: 'video', url }],
      usage: usageOf(objectOf(answer['usage'])),
    }),
  }
}

/** Older models call the length `video_duration`. `duration` counts the videos that were given too. */
function usageOf(usage: JsonObject): TaskUsage {
  const seconds =
    numberIn(usage['output_video_duration']) ?? numberIn(usage['video_duration']) ?? numberIn(usage['duration'])
  const size = resolutionName(usage['SR']) ?? resolutionName(usage['size'])
  return { ...(seconds !== undefined && { seconds }), ...(size !== null && { size }) }
}
