import { objectOf, objectsOf } from '@tollgate/dialects'
import type { TaskReply, TaskReport } from '../tasks'
import { nameInPath } from '../urls'
import { nearestResolution, requestedRatio } from '../videos/frame-size'
import { bareText, imagesOf } from '../videos/pictures'
import { isGood, numberIn, pick, present, refusedBy, requireId, stateOf, textIn } from '../videos/replies'
import { usualPace, type VideoApi, type VideoRequest } from '../videos/video-request'
import { hs256Token } from './signed-token'
import { hasPartsOrOne, regionalBaseUrlField } from '../fields'
import { defineProvider } from '../provider'

const usualSeconds = 5

const states = { submitted: 'queued', processing: 'in-progress', succeed: 'success', failed: 'failure' } as const

/** https://app.klingai.com/global/dev/document-api/quickStart/errorCodes */
const statuses: Readonly<Record<string, number>> = {
  1000: 401,
  1001: 401,
  1002: 401,
  1003: 401,
  1004: 401,
  1100: 403,
  1101: 402,
  1102: 402,
  1103: 403,
  1200: 400,
  1201: 400,
  1202: 400,
  1203: 404,
  1300: 400,
  1301: 400,
  1302: 429,
  1303: 429,
  1304: 403,
  5000: 500,
  5001: 503,
  5002: 504,
}

/** Parameters that change neither length nor price. */
const ownMembers = [
  'cfg_scale',
  'camera_control',
  'static_mask',
  'dynamic_masks',
  'multi_shot',
  'shot_type',
  // Its durations add up to that of the video.
  'multi_prompt',
  'element_list',
  'watermark_info',
] as const

const resolutions: Readonly<Record<string, string>> = { std: '720p', pro: '1080p', '4k': '4k' }

/** The vendor sells resolutions as modes. */
function modeOf(request: VideoRequest): string {
  if (request.quality !== null) return request.quality
  const resolution = nearestResolution(request, ['720p', '1080p', '4k'])
  return Object.entries(resolutions).find(([, name]) => name === resolution)?.[0] ?? 'std'
}

type Endpoint = 'text2video' | 'image2video' | 'multi-image2video'

function endpointOf({ firstFrame, lastFrame, references }: VideoRequest): Endpoint {
  if (references.length > 0 && (firstFrame ?? lastFrame) !== null)
    throw new TypeError('Kling takes either frames or reference images')
  if (references.length > 0) return 'multi-image2video'
  return (firstFrame ?? lastFrame) === null ? 'text2video' : 'image2video'
}

/** Models up to 3.0. https://app.klingai.com/global/dev/document-api/apiReference/model/textToVideo */
const klingVideos: VideoApi = {
  ...usualPace,
  auth: ({ key, nowMs }) => ({ authorization: `Bearer ${klingToken(key, nowMs)}` }),
  accepts: (request) => {
    const mode = modeOf(request)
    return {
      seconds: request.seconds ?? usualSeconds,
      size: resolutions[mode] ?? '1080p',
      quality: request.hasSound === true ? `${mode}-sound` : mode,
    }
  },
  submit(request, { baseUrl, model, callbackUrl, name }) {
    if (request.origin) throw new TypeError('Kling cannot remix videos')
    const endpoint = endpointOf(request)
    const { hasSound } = request
    return {
      method: 'POST',
      url: `${baseUrl}/v1/videos/${endpoint}`,
      body: present({
        ...pick(request.own, ownMembers),
        model_name: model,
        prompt: request.prompt,
        negative_prompt: request.negativePrompt,
        mode: modeOf(request),
        duration: String(request.seconds ?? usualSeconds),
        sound: hasSound === null ? null : hasSound ? 'on' : 'off',
        aspect_ratio: endpoint === 'image2video' ? null : requestedRatio(request, ['16:9', '9:16', '1:1']),
        image: request.firstFrame && bareText(request.firstFrame),
        image_tail: request.lastFrame && bareText(request.lastFrame),
        image_list:
          endpoint === 'multi-image2video' ? imagesOf(request).map((image) => ({ image: bareText(image) })) : null,
        callback_url: callbackUrl,
        external_task_id: name || null,
      }),
    }
  },
  readSubmission(reply, { url }) {
    const { code, data } = objectOf(reply.body)
    const id = textIn(objectOf(data)['task_id'])
    if (!isGood(reply) || (code !== 0 && code !== undefined) || id === undefined)
      return refusedBy(reply, isGood(reply) ? (statuses[String(code)] ?? 502) : reply.status)
    return { kind: 'accepted', vendorId: vendorIdOf(url, id), report: reportOf(reply) }
  },
  // A question may name the task by `external_task_id`, which is unique within the account.
  namedId: ({ url }, { name }) => vendorIdOf(url, name),
  fetch(ids, { baseUrl }) {
    const [endpoint = '', id = ''] = requireId(ids).split('/')
    return { method: 'GET', url: `${baseUrl}/v1/videos/${nameInPath(endpoint)}/${nameInPath(id)}` }
  },
  readReports: (reply, ids) => [{ vendorId: requireId(ids), ...reportOf(reply) }],
}

/** Each address finds tasks of its own kind alone. */
const vendorIdOf = (url: string, id: string): string => `${url.split('/').at(-1)}/${id}`

function reportOf({ body }: TaskReply): Omit<TaskReport, 'vendorId'> {
  const task = objectOf(objectOf(body)['data'])
  const status = stateOf(states, task['task_status'])
  const failReason = textIn(task['task_status_msg'])
  const videos = objectsOf(objectOf(task['task_result'])['videos'])
  // The file is a few frames longer or shorter than what is billed.
  const seconds = Math.round(numberIn(videos[0]?.['duration']) ?? 0)
  return {
    status,
    progress: null,
    ...(status === 'failure' && failReason !== undefined && { failReason }),
    ...(status === 'success' && {
      results: videos.flatMap(({ url }) => (typeof url === 'string' ? [{ kind: 'video' as const, url }] : [])),
    }),
    ...(seconds > 0 && { usage: { seconds } }),
  }
}

const tokenSeconds = 1800
/** For clocks that differ. */
const earlierSeconds = 5

/** Returns what proves who calls: a token that an access key and its secret sign; another key as it is. */
export function klingToken(key: string, nowMs: number): string {
  const [accessKey = '', secret = '', ...more] = key.split('|').map((part) => part.trim())
  if (secret === '' || accessKey === '' || more.length > 0) return key
  const now = Math.floor(nowMs / 1000)
  const claims = { iss: accessKey, exp: now + tokenSeconds, nbf: now - earlierSeconds }
  return hs256Token({ alg: 'HS256', typ: 'JWT' }, claims, secret)
}

/** Kuaishou's models of videos. https://app.klingai.com/global/dev/document-api */
export const kling = defineProvider({
  type: 50,
  id: 'kling',
  name: { en: 'Kling AI', zh: '可灵 AI' },
  baseUrl: 'https://api-beijing.klingai.com',
  auth: () => ({}),
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'AccessKey|SecretKey, or the key of a gateway that serves Kling; separate several with commas',
      zh: 'AccessKey|SecretKey，或提供可灵服务的网关密钥；多个密钥以英文逗号分隔',
    },
    several: true,
    isKey: hasPartsOrOne(2),
  },
  modes: {},
  tasks: { video: klingVideos },
  fields: [regionalBaseUrlField('https://api-beijing.klingai.com', 'https://api-singapore.klingai.com')],
  models: [
    'kling-v3',
    'kling-v2-6',
    'kling-v2-5-turbo',
    'kling-v2-1-master',
    'kling-v2-1',
    'kling-v2-master',
    'kling-v1-6',
    'kling-v1',
  ],
})
