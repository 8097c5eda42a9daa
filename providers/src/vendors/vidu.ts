import { objectOf, objectsOf } from '@tollgate/dialects'
import type { TaskReply, TaskReport } from '../tasks'
import { nameInPath } from '../urls'
import { nearestResolution, requestedRatio } from '../videos/frame-size'
import { imageAddress, imagesOf } from '../videos/pictures'
import { isGood, numberIn, pick, present, refusedBy, requireId, stateOf, textIn } from '../videos/replies'
import { usualPace, type VideoApi, type VideoRequest } from '../videos/video-request'
import { keyFormat, regionalBaseUrlField } from '../fields'
import { defineProvider } from '../provider'

const states = {
  created: 'queued',
  queueing: 'queued',
  processing: 'in-progress',
  success: 'success',
  failed: 'failure',
  cancelled: 'cancelled',
} as const

/** Parameters that do not change the price. */
const ownMembers = ['style', 'movement_amplitude', 'bgm', 'watermark', 'wm_position', 'meta_data'] as const

const usualSeconds = (model: string): number => (model === 'vidu2.0' || model === 'vidu1.5' ? 4 : 5)

/** The first of a list is what the vendor makes where nothing is asked. */
const resolutionsOf = (model: string): readonly string[] =>
  model.startsWith('viduq1')
    ? ['1080p']
    : model.startsWith('vidu2')
      ? ['360p', '720p', '1080p']
      : ['720p', '540p', '1080p']

function endpointOf({ firstFrame, lastFrame, references }: VideoRequest): string {
  if (references.length > 0) {
    if ((firstFrame ?? lastFrame) !== null) throw new TypeError('Vidu takes either frames or reference images')
    return 'reference2video'
  }
  if (lastFrame !== null && firstFrame === null) throw new TypeError('Vidu takes a last frame only with a first one')
  if (lastFrame !== null) return 'start-end2video'
  return firstFrame === null ? 'text2video' : 'img2video'
}

/** https://platform.vidu.com/docs/text-to-video */
const viduVideos: VideoApi = {
  ...usualPace,
  accepts: (request, { model }) => ({
    seconds: request.seconds ?? usualSeconds(model),
    size: nearestResolution(request, resolutionsOf(model)),
    ...(request.hasSound === true && { quality: 'sound' }),
  }),
  submit(request, { baseUrl, model, callbackUrl }) {
    if (request.origin) throw new TypeError('Vidu cannot remix videos')
    const endpoint = endpointOf(request)
    const images = imagesOf(request).map(imageAddress)
    return {
      method: 'POST',
      url: `${baseUrl}/ent/v2/${endpoint}`,
      body: present({
        ...pick(request.own, ownMembers),
        model,
        prompt: request.prompt,
        images: images.length > 0 ? images : null,
        duration: request.seconds ?? usualSeconds(model),
        resolution: nearestResolution(request, resolutionsOf(model)),
        aspect_ratio: endpoint === 'text2video' || endpoint === 'reference2video' ? requestedRatio(request) : null,
        seed: request.seed,
        audio: request.hasSound,
        callback_url: callbackUrl,
      }),
    }
  },
  readSubmission(reply) {
    const task = objectOf(reply.body)
    const id = textIn(task['task_id'])
    if (!isGood(reply) || id === undefined) return refusedBy(reply)
    return { kind: 'accepted', vendorId: id, report: reportOf(reply) }
  },
  fetch: (ids, { baseUrl }) => ({
    method: 'GET',
    url: `${baseUrl}/ent/v2/tasks/${nameInPath(requireId(ids))}/creations`,
  }),
  readReports: (reply, ids) => [{ vendorId: requireId(ids), ...reportOf(reply) }],
}

function reportOf({ body }: TaskReply): Omit<TaskReport, 'vendorId'> {
  const task = objectOf(body)
  const status = stateOf(states, task['state'])
  const failReason = textIn(task['err_msg']) ?? textIn(task['err_code'])
  return {
    status,
    progress: numberIn(task['progress']) ?? null,
    ...(status === 'failure' && failReason !== undefined && { failReason }),
    ...(status === 'success' && {
      results: objectsOf(task['creations']).flatMap((creation) => [
        ...(typeof creation['url'] === 'string' ? [{ kind: 'video' as const, url: creation['url'] }] : []),
        ...(typeof creation['cover_url'] === 'string' ? [{ kind: 'image' as const, url: creation['cover_url'] }] : []),
      ]),
    }),
  }
}

/** Shengshu's models of videos. https://platform.vidu.com/docs */
export const vidu = defineProvider({
  type: 52,
  id: 'vidu',
  name: { en: 'Vidu', zh: 'Vidu' },
  baseUrl: 'https://api.vidu.cn',
  auth: ({ key }) => ({ authorization: `Token ${key}` }),
  billsAbandoned: 'all',
  key: keyFormat('vda_…'),
  modes: {},
  tasks: { video: viduVideos },
  fields: [regionalBaseUrlField('https://api.vidu.cn', 'https://api.vidu.com')],
  models: ['viduq3-pro', 'viduq3-turbo', 'viduq2', 'viduq2-pro', 'viduq2-turbo', 'viduq1', 'vidu2.0'],
})
