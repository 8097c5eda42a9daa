import { objectOf, objectsOf, type JsonObject } from '@tollgate/dialects'

import type { TaskCall, TaskReply, TaskReport, TaskResult, TaskTarget } from '../tasks'
import { modelInPath, nameInPath } from '../urls'
import { requestedRatio, nearestResolution } from '../videos/frame-size'
import { inlineImage } from '../videos/pictures'
import { isGood, pick, present, refusedBy, requireId, textIn } from '../videos/replies'
import { usualPace, type Image, type VideoApi, type VideoRequest } from '../videos/video-request'
import { projectOf } from './vertex-auth'
import { locationUrlOf } from './vertex-location'

const usualSeconds = 8

/** What Google's two places for Veo have in common. */
type Common = Pick<VideoApi, 'batch' | 'pollMs' | 'deadlineMs' | 'accepts' | 'readSubmission'>

const common: Common = {
  ...usualPace,
  accepts: (request) => ({ seconds: request.seconds ?? usualSeconds, size: resolutionOf(request) }),
  readSubmission(reply) {
    const name = textIn(objectOf(reply.body)['name'])
    if (!isGood(reply) || name === undefined) return refusedBy(reply)
    return { kind: 'accepted', vendorId: name }
  },
}

const resolutionOf = (request: VideoRequest): string => nearestResolution(request, ['720p', '1080p', '4k'])

/** https://ai.google.dev/gemini-api/docs/video and https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation */
function bodyOf(request: VideoRequest, model: string, more: JsonObject = {}): JsonObject {
  if (request.origin) throw new TypeError('Veo cannot remix videos')
  const references = request.references.map((reference) => ({ image: imageOf(reference), referenceType: 'asset' }))
  return {
    instances: [
      present({
        prompt: request.prompt,
        image: request.firstFrame && imageOf(request.firstFrame),
        lastFrame: request.lastFrame && imageOf(request.lastFrame),
        referenceImages: references.length > 0 ? references : null,
      }),
    ],
    parameters: present({
      ...pick(request.own, ['personGeneration']),
      sampleCount: 1,
      durationSeconds: request.seconds ?? usualSeconds,
      aspectRatio: requestedRatio(request, ['16:9', '9:16']),
      // The second version has one resolution.
      resolution: model.startsWith('veo-2') ? null : resolutionOf(request),
      negativePrompt: request.negativePrompt,
      seed: request.seed,
      ...more,
    }),
  }
}

function imageOf(source: Image): JsonObject {
  if (typeof source === 'string' && source.startsWith('gs://')) return { gcsUri: source, mimeType: 'image/png' }
  const inline = inlineImage(source)
  if (inline === null) throw new TypeError('Veo takes images inside the request, not at addresses')
  return { bytesBase64Encoded: inline.data, mimeType: inline.mime }
}

/** Veo in the Gemini API. `versionOf` returns the version of the API that a channel names. */
export const geminiVideos = (versionOf: (other: string) => string): VideoApi => ({
  ...common,
  submit: (request, { baseUrl, model, other }) => ({
    method: 'POST',
    url: `${baseUrl}/${versionOf(other)}/models/${nameInPath(model)}:predictLongRunning`,
    body: bodyOf(request, model),
  }),
  fetch: (ids, { baseUrl, other }) => ({
    method: 'GET',
    url: `${baseUrl}/${versionOf(other)}/${modelInPath(requireId(ids))}`,
  }),
  readReports: (reply, ids) => [{ vendorId: requireId(ids), ...reportOf(reply, storedVideos) }],
  content: {
    // At the channel's own address, so that the key goes nowhere else.
    call({ fileId = '' }, _task, { baseUrl }) {
      if (!URL.canParse(fileId)) throw new TypeError('The vendor gave no address of the video')
      const { pathname, search } = new URL(fileId)
      return { method: 'GET', url: `${baseUrl}${pathname}${search}` }
    },
  },
})

/** Veo in Vertex AI, whose responses hold the videos. */
export const vertexVideos: VideoApi = {
  ...common,
  submit: (request, target) => ({
    method: 'POST',
    url: `${modelAt(target)}:predictLongRunning`,
    headers: projectHeader(target),
    body: bodyOf(
      request,
      target.model,
      target.model.startsWith('veo-2') ? {} : { generateAudio: request.hasSound ?? true },
    ),
  }),
  fetch: (ids, target) => operation(requireId(ids), target),
  readReports: (reply, ids) => [{ vendorId: requireId(ids), ...reportOf(reply, inlineVideos) }],
  content: {
    call: (_result, { vendorId }, target) => operation(vendorId, target),
    read({ body }, { fileId = '0' }) {
      const video = objectsOf(objectOf(objectOf(body)['response'])['videos'])[Number(fileId)]
      const base64 = textIn(video?.['bytesBase64Encoded'])
      if (base64 === undefined) throw new TypeError('The vendor does not keep the video any more')
      return { base64, contentType: textIn(video?.['mimeType']) ?? 'video/mp4' }
    },
  },
}

const projectHeader = (target: Pick<TaskTarget, 'key'>) => ({ 'x-goog-user-project': projectOf(target) })

const modelAt = (target: TaskTarget): string =>
  `${locationUrlOf(target, 'v1', target.model)}/publishers/google/models/${nameInPath(target.model)}`

const operation = (name: string, target: TaskTarget): TaskCall => ({
  method: 'POST',
  url: `${modelAt(target)}:fetchPredictOperation`,
  headers: projectHeader(target),
  body: { operationName: name },
})

/** Reads an operation; `resultsIn` finds the videos in the response of one that ended well. */
function reportOf(
  { body }: TaskReply,
  resultsIn: (response: JsonObject) => readonly TaskResult[],
): Omit<TaskReport, 'vendorId'> {
  const { done, error, response } = objectOf(body)
  if (done !== true) return { status: 'in-progress', progress: null }
  if (error !== undefined && error !== null) {
    const { message } = objectOf(error)
    return { status: 'failure', progress: null, failReason: textIn(message) ?? 'The vendor gave no reason' }
  }
  const answer = objectOf(response)
  const inner = objectOf(answer['generateVideoResponse'] ?? answer)
  const results = resultsIn(inner)
  if (results.length > 0) return { status: 'success', progress: 100, results }
  const [reason] = Array.isArray(inner['raiMediaFilteredReasons']) ? inner['raiMediaFilteredReasons'] : []
  return { status: 'failure', progress: null, failReason: textIn(reason) ?? 'The vendor withheld the video' }
}

/** Their addresses want the key. */
const storedVideos = (response: JsonObject): readonly TaskResult[] =>
  objectsOf(response['generatedSamples'] ?? response['generatedVideos']).flatMap(({ video }) => {
    const uri = textIn(objectOf(video)['uri'])
    return uri === undefined ? [] : [{ kind: 'video' as const, fileId: uri }]
  })

const inlineVideos = (response: JsonObject): readonly TaskResult[] =>
  objectsOf(response['videos']).flatMap(({ bytesBase64Encoded: data }, index) =>
    typeof data === 'string' ? [{ kind: 'video' as const, fileId: String(index) }] : [],
  )
