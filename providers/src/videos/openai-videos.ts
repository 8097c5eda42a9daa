import type { TaskCall, TaskReply, TaskReport, TaskTarget } from '../tasks'
import { nameInPath } from '../urls'
import { askedResolution, resolutionName } from './frame-size'
import { pictureFile } from './pictures'
import { isGood, membersIn, numberIn, present, refusedBy, requireId, stateOf, textIn } from './replies'
import { usualPace, type VideoApi, type VideoWish } from './video-wish'

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
  accepts: (wish) => ({
    seconds: wish.seconds ?? usualSeconds,
    size: askedResolution(wish) ?? '720p',
    ...(wish.quality !== null && { quality: wish.quality }),
  }),
  submit(wish, target) {
    const root = rootOf(target.baseUrl)
    if (!wish.origin) return { method: 'POST', url: `${root}/videos`, ...bodyOf(wish, target) }
    return {
      method: 'POST',
      url: `${root}/videos/${nameInPath(wish.origin.vendorId)}/remix`,
      body: { prompt: wish.prompt },
    }
  },
  readSubmission(reply) {
    const video = membersIn(reply.body)
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
function bodyOf(wish: VideoWish, { model }: Pick<TaskTarget, 'model'>): Pick<TaskCall, 'body' | 'isForm'> {
  const { firstFrame, references, frame } = wish
  const picture = firstFrame ?? references[0] ?? null
  const file = picture && pictureFile(picture)
  const body = present({
    model,
    prompt: wish.prompt,
    seconds: String(wish.seconds ?? usualSeconds),
    size: frame && `${frame.width}x${frame.height}`,
    resolution: wish.resolution,
    aspect_ratio: wish.aspectRatio,
    quality: wish.quality,
    negative_prompt: wish.negativePrompt,
    seed: wish.seed,
    input_reference: file ?? (picture === null ? null : { image_url: picture }),
  })
  return { body, ...(file && { isForm: true }) }
}

function reportOf({ body }: TaskReply): Omit<TaskReport, 'vendorId'> {
  const video = membersIn(body)
  const status = stateOf(states, video['status'])
  const seconds = numberIn(video['seconds'])
  const size = resolutionName(video['size'])
  const failReason = textIn(membersIn(video['error'])['message'])
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
