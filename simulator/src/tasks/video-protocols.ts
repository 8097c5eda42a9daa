import type { TaskState } from './task-book'

export type Submitted = Readonly<Record<string, unknown>>

/** A request to a stand-in. */
interface StandInRequest {
  readonly method: string
  /** Below the vendor's own. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Submitted
  /** Where the finished video of a task is. */
  readonly fileOf: (id: string) => string
}

/** How a vendor speaks of tasks. */
interface VideoProtocol {
  /** The task that is queried; null for a submission. */
  readonly idIn: (request: StandInRequest) => string | null
  readonly accept: (id: string, request: StandInRequest) => Response
  readonly report: (id: string, state: TaskState, submitted: Submitted, request: StandInRequest) => Response
  readonly unknown?: () => Response
  /** Calls that are about no task. */
  readonly aside?: (request: StandInRequest) => Response | null
  /** Calls for the result instead of the state. */
  readonly isContent?: (request: StandInRequest) => boolean
  readonly content?: (id: string, request: StandInRequest) => Response
}

type Words = Readonly<Record<TaskState['status'], string>>

const film = (id: string): Response => new Response(`film of ${id}`, { headers: { 'content-type': 'video/mp4' } })
const lastStep = ({ path }: StandInRequest): string => path.split('/').at(-1) ?? ''
const membersIn = (value: unknown): Submitted =>
  typeof value === 'object' && value !== null ? (value as Submitted) : {}

const openAiWords: Words = { queued: 'queued', running: 'in_progress', done: 'completed', failed: 'failed' }

/** https://platform.openai.com/docs/api-reference/videos */
const openAi: VideoProtocol = {
  idIn: ({ method, path }) => (method === 'GET' ? (path.split('/')[3] ?? '') : null),
  accept: (id, { body }) => Response.json({ id, object: 'video', status: 'queued', progress: 0, ...sizeIn(body) }),
  report: (id, { status, progress }, submitted) =>
    Response.json({
      id,
      object: 'video',
      status: openAiWords[status],
      progress,
      ...sizeIn(submitted),
      error: status === 'failed' ? { code: 'server_error', message: 'The video could not be made' } : null,
    }),
  isContent: ({ path }) => path.endsWith('/content'),
  content: (id, { query }) => (query.has('variant') ? new Response('a picture') : film(id)),
}

const sizeIn = ({ seconds = '4', size = '720x1280' }: Submitted) => ({ seconds, size })

const klingWords: Words = { queued: 'submitted', running: 'processing', done: 'succeed', failed: 'failed' }

/** https://app.klingai.com/global/dev/document-api */
const kling: VideoProtocol = {
  idIn: (request) => (request.method === 'GET' ? lastStep(request) : null),
  accept: (id) => Response.json({ code: 0, message: 'SUCCEED', data: { task_id: id, task_status: 'submitted' } }),
  report: (id, { status }, { duration }, { fileOf }) =>
    Response.json({
      code: 0,
      message: 'SUCCEED',
      data: {
        task_id: id,
        task_status: klingWords[status],
        task_status_msg: status === 'failed' ? 'The risk control refused it' : '',
        task_result:
          status === 'done' ? { videos: [{ id, url: fileOf(id), duration: `${String(duration)}.041` }] } : {},
      },
    }),
}

const jimengWords: Words = { queued: 'in_queue', running: 'generating', done: 'done', failed: 'expired' }

/** https://www.volcengine.com/docs/85621/1792702 */
const jimeng: VideoProtocol = {
  idIn: ({ query, body }) => (query.get('Action') === 'CVSync2AsyncGetResult' ? String(body['task_id']) : null),
  accept: (id) => Response.json({ code: 10000, message: 'Success', data: { task_id: id } }),
  report: (id, { status }, _submitted, { fileOf }) =>
    Response.json({
      code: 10000,
      message: 'Success',
      data: { status: jimengWords[status], video_url: status === 'done' ? fileOf(id) : '' },
    }),
}

const viduWords: Words = { queued: 'queueing', running: 'processing', done: 'success', failed: 'failed' }

/** https://platform.vidu.com/docs */
const vidu: VideoProtocol = {
  idIn: ({ method, path }) => (method === 'GET' ? (path.split('/')[4] ?? '') : null),
  accept: (id, { body }) => Response.json({ task_id: id, state: 'created', ...body }),
  report: (id, { status }, _submitted, { fileOf }) =>
    Response.json({
      id,
      state: viduWords[status],
      err_code: status === 'failed' ? 'TaskFailed' : '',
      creations: status === 'done' ? [{ id: 'c-1', url: fileOf(id), cover_url: `${fileOf(id)}-cover` }] : [],
    }),
}

const failure = { code: 13, message: 'The video could not be made' }

/** https://ai.google.dev/gemini-api/docs/video */
const gemini: VideoProtocol = {
  idIn: (request) => (request.method === 'GET' ? lastStep(request).replace(':download', '') : null),
  accept: (id) => Response.json({ name: `models/veo/operations/${id}` }),
  report: (id, { status }) =>
    Response.json({
      name: `models/veo/operations/${id}`,
      ...(status === 'failed' && { done: true, error: failure }),
      ...(status === 'done' && {
        done: true,
        response: {
          generateVideoResponse: {
            generatedSamples: [
              {
                video: {
                  uri: `https://generativelanguage.googleapis.com/v1beta/files/${id}:download?alt=media`,
                },
              },
            ],
          },
        },
      }),
    }),
  isContent: ({ path }) => path.endsWith(':download'),
  content: (id, { fileOf }) => Response.redirect(fileOf(id), 302),
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation */
const vertex: VideoProtocol = {
  idIn: ({ path, body }) =>
    path.endsWith(':fetchPredictOperation') ? (String(body['operationName']).split('/').at(-1) ?? '') : null,
  accept: (id) => Response.json({ name: `projects/p/locations/l/publishers/google/models/m/operations/${id}` }),
  report: (id, { status }) =>
    Response.json({
      name: id,
      ...(status === 'failed' && { done: true, error: failure }),
      ...(status === 'done' && {
        done: true,
        response: { videos: [{ bytesBase64Encoded: btoa(`film of ${id}`), mimeType: 'video/mp4' }] },
      }),
    }),
  aside: ({ path }) =>
    path === '/token' ? Response.json({ access_token: 'ya29.not-a-real-token', expires_in: 3599 }) : null,
}

const seedanceWords: Words = { queued: 'queued', running: 'running', done: 'succeeded', failed: 'failed' }

/** https://www.volcengine.com/docs/82379/1521309 */
const volcEngine: VideoProtocol = {
  idIn: (request) => (request.method === 'GET' ? lastStep(request) : null),
  accept: (id) => Response.json({ id }),
  report: (id, { status }, { duration, resolution }, { fileOf }) =>
    Response.json({
      id,
      status: seedanceWords[status],
      ...(status === 'done' && {
        content: { video_url: fileOf(id) },
        usage: { completion_tokens: 108_900, total_tokens: 108_900 },
        duration,
        resolution,
      }),
      ...(status === 'failed' && { error: { code: 'InternalServiceError', message: 'The video could not be made' } }),
    }),
}

const wanWords: Words = { queued: 'PENDING', running: 'RUNNING', done: 'SUCCEEDED', failed: 'FAILED' }

/** https://help.aliyun.com/zh/model-studio/text-to-video-api-reference */
const dashScope: VideoProtocol = {
  idIn: (request) => (request.method === 'GET' ? lastStep(request) : null),
  accept: (id) => Response.json({ request_id: 'r-1', output: { task_id: id, task_status: 'PENDING' } }),
  report: (id, { status }, submitted, { fileOf }) => {
    const { duration, resolution } = membersIn(submitted['parameters'])
    return Response.json({
      request_id: 'r-2',
      output: {
        task_id: id,
        task_status: wanWords[status],
        ...(status === 'done' && { video_url: fileOf(id) }),
        ...(status === 'failed' && { code: 'InternalError', message: 'The video could not be made' }),
      },
      ...(status === 'done' && {
        usage: {
          duration,
          output_video_duration: duration,
          video_count: 1,
          SR: Number.parseInt(String(resolution), 10),
        },
      }),
    })
  },
}

const miniMaxWords: Words = { queued: 'Queueing', running: 'Processing', done: 'Success', failed: 'Fail' }
const good = { status_code: 0, status_msg: 'success' }

/** https://platform.minimax.io/docs/api-reference/video-generation-t2v and its second form */
const miniMax: VideoProtocol = {
  idIn: ({ method, path, query }) =>
    method === 'POST' ? null : (query.get('task_id') ?? query.get('file_id') ?? path.split('/').at(-1) ?? ''),
  accept: (id, { path }) => Response.json({ task_id: id, ...(path.startsWith('/v1') && { base_resp: good }) }),
  report: (id, { status }, { duration, resolution }, { path, fileOf }) =>
    path.startsWith('/v2')
      ? Response.json({
          task: {
            id,
            status: seedanceWords[status],
            ...(status === 'done' && { content: { url: fileOf(id) }, duration, resolution }),
            ...(status === 'failed' && { error: { message: 'The video could not be made' } }),
          },
        })
      : Response.json({
          task_id: id,
          status: miniMaxWords[status],
          ...(status === 'done' && { file_id: id, video_width: 1366, video_height: 768 }),
          base_resp: good,
        }),
  isContent: ({ path }) => path === '/v1/files/retrieve',
  content: (id, { fileOf }) => Response.json({ file: { file_id: id, download_url: fileOf(id) }, base_resp: good }),
}

/** https://docs.x.ai/docs/guides/video-generation */
const xAi: VideoProtocol = {
  idIn: (request) => (request.method === 'GET' ? lastStep(request) : null),
  accept: (id) => Response.json({ request_id: id }),
  report: (id, { status, progress }, { duration = 6 }, { fileOf }) => {
    if (status === 'failed') return Response.json({ status, error: { code: 'internal', message: 'It failed' } })
    return status === 'done'
      ? Response.json({ status, progress, video: { url: fileOf(id), duration, respect_moderation: true } })
      : Response.json({ status: 'pending', progress }, { status: 202 })
  },
}

/** By the first step of their paths. */
export const videoProtocols: Readonly<Record<string, VideoProtocol>> = {
  openai: openAi,
  kling,
  jimeng,
  vidu,
  gemini,
  vertex,
  volcengine: volcEngine,
  dashscope: dashScope,
  minimax: miniMax,
  xai: xAi,
}
