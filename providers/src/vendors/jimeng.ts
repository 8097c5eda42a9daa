import { type JsonObject, objectOf } from '@tollgate/dialects'
import type { TaskCall, TaskReply, TaskReport, TaskTarget } from '../tasks'
import { requestedRatio } from '../videos/frame-size'
import { imageAddress, imagesOf, inlineImage } from '../videos/pictures'
import { isGood, pick, present, refusedBy, requireId, stateOf, textIn } from '../videos/replies'
import { usualPace, type VideoApi, type VideoRequest } from '../videos/video-request'
import { volcEngineSignature } from './volcengine-signature'
import { hasParts } from '../fields'
import { defineProvider } from '../provider'

const usualSeconds = 5
const framesPerSecond = 24
const goodCode = 10_000

const states = {
  in_queue: 'queued',
  generating: 'in-progress',
  done: 'success',
  not_found: 'unknown',
  expired: 'failure',
} as const

/** https://www.volcengine.com/docs/85621/1792702 */
const statuses: Readonly<Record<string, number>> = {
  50400: 403,
  50411: 400,
  50412: 400,
  50413: 400,
  50429: 429,
  50430: 429,
  50500: 500,
  50501: 500,
  50511: 400,
  50512: 400,
}

/** Returns the vendor's name of the model for this number of pictures. */
function requestKey(model: string, images: number): string {
  const lines = /^jimeng_v30(?:_(720|1080)p)?$/.exec(model)
  if (lines === null) return model
  const full = lines[1] === '1080'
  if (images === 0) return full ? 'jimeng_t2v_v30_1080p' : 'jimeng_t2v_v30'
  return `jimeng_i2v_first${images > 1 ? '_tail' : ''}_v30${full ? '_1080' : ''}`
}

/** A call whose headers sign its body; the query is part of what is signed. */
function signCall(action: string, body: JsonObject, { baseUrl, key, nowMs }: TaskTarget): TaskCall {
  const [accessKey = '', secret = ''] = key.split('|').map((part) => part.trim())
  const url = `${baseUrl}/?Action=${action}&Version=2022-08-31`
  const signing = { url, body: JSON.stringify(body), accessKey, secret, region: 'cn-north-1', service: 'cv', nowMs }
  return { method: 'POST', url, headers: volcEngineSignature(signing), body }
}

/** Jimeng, ByteDance's application, by the API for visual intelligence. https://www.volcengine.com/docs/85621/1792702 */
export const jimengVideos: VideoApi = {
  ...usualPace,
  accepts: (request, { model }) => ({
    seconds: request.seconds ?? usualSeconds,
    size: /1080|pro$/.test(model) ? '1080p' : '720p',
  }),
  submit(request, target) {
    if (request.origin) throw new TypeError('Jimeng cannot remix videos')
    const images = imagesOf(request)
    const key = requestKey(target.model, images.length)
    return signCall('CVSync2AsyncSubmitTask', bodyOf(request, key), target)
  },
  readSubmission(reply, { body = {} }) {
    const { code, data } = objectOf(reply.body)
    const id = textIn(objectOf(data)['task_id'])
    if (code !== goodCode || id === undefined)
      return refusedBy(reply, statuses[String(code)] ?? (isGood(reply) ? 502 : reply.status))
    return { kind: 'accepted', vendorId: `${textIn(body['req_key'])}/${id}` }
  },
  fetch(ids, target) {
    const [key = '', id = ''] = requireId(ids).split('/')
    return signCall('CVSync2AsyncGetResult', { req_key: key, task_id: id }, target)
  },
  readReports: (reply, ids) => [{ vendorId: requireId(ids), ...reportOf(reply) }],
}

function bodyOf(request: VideoRequest, requestKeyName: string): JsonObject {
  const images = imagesOf(request)
  const inline = images.map(inlineImage).filter((image) => image !== null)
  const areInline = images.length > 0 && inline.length === images.length
  return present({
    ...pick(request.own, ['template_id', 'camera_strength']),
    req_key: requestKeyName,
    prompt: request.prompt,
    seed: request.seed ?? -1,
    frames: (request.seconds ?? usualSeconds) * framesPerSecond + 1,
    aspect_ratio: images.length > 0 ? null : (requestedRatio(request) ?? '16:9'),
    binary_data_base64: areInline ? inline.map(({ data }) => data) : null,
    image_urls: images.length === 0 || areInline ? null : images.map(imageAddress),
  })
}

function reportOf({ body }: TaskReply): Omit<TaskReport, 'vendorId'> {
  const { code, data, message } = objectOf(body)
  const failReason = textIn(message)
  // A question that came too often, or at a bad moment, says nothing of the task.
  if ((statuses[String(code)] ?? 0) >= 429) throw new TypeError(failReason ?? `The code ${String(code)}`)
  if (code !== goodCode) return { status: 'failure', progress: null, ...(failReason !== undefined && { failReason }) }
  const task = objectOf(data)
  const url = textIn(task['video_url'])
  const status = stateOf(states, task['status'])
  return {
    status,
    progress: null,
    ...(status === 'success' && { results: url === undefined ? [] : [{ kind: 'video', url }] }),
  }
}

/** ByteDance's models of videos in Volcengine's API for visual intelligence. https://www.volcengine.com/docs/85621/1544716 */
export const jimeng = defineProvider({
  type: 51,
  id: 'jimeng',
  name: { en: 'Jimeng', zh: '即梦' },
  baseUrl: 'https://visual.volcengineapi.com',
  auth: () => ({}),
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'AccessKeyID|SecretAccessKey of Volcengine; separate several with commas',
      zh: '火山引擎的 AccessKeyID|SecretAccessKey；多个密钥以英文逗号分隔',
    },
    several: true,
    isKey: hasParts(2),
  },
  modes: {},
  tasks: { video: jimengVideos },
  fields: [],
  models: ['jimeng_v30', 'jimeng_v30_1080p', 'jimeng_ti2v_v30_pro'],
})
