import { hasEnded } from '@tollgate/contract'
import { privateFiles, type JsonObject } from '@tollgate/dialects'
import type { Provider, TaskTarget, VideoApi, VideoRequest } from '@tollgate/providers'

import { AppError } from '../../../platform/app-error'
import type { TaskRow } from '../../../platform/store/tables'
import { removeTask } from '../../../tasks/task-store'
import { readFormOrJsonBody } from '../../admission/read-body'
import { ownerOf, type Caller, type IncomingCall } from '../../call'
import type { RelayDeps } from '../../call-context'
import { refuseUnoffered } from '../../objects/object-access'
import { decodePathPart } from '../../stages/endpoint'
import { submitTask } from '../submit-task'
import { readingCaller, requireTask, submitting } from '../task-call'
import { contentOf } from '../task-content'
import type { TaskEndpoint } from '../task-endpoint'
import { listVideos, readPage } from './list-videos'
import { readRemixRequest, readVideoRequest, type VideoSubmission } from './read-video-request'
import { videoObject, readShownRequest, shownRequest } from './video-object'
import { originTask, type TaskOrder } from '../task-order'

/** OpenAI's calls for videos. https://platform.openai.com/docs/api-reference/videos */
export const videoCalls: readonly TaskEndpoint[] = [
  { method: 'POST', path: /^$/, respond: create },
  { method: 'GET', path: /^$/, respond: list },
  { method: 'GET', path: /^\/([^/]+)$/, respond: retrieve },
  { method: 'DELETE', path: /^\/([^/]+)$/, respond: remove },
  { method: 'GET', path: /^\/([^/]+)\/content$/, respond: download },
  { method: 'POST', path: /^\/([^/]+)\/remix$/, respond: remix },
]

function create(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const submit = async (caller: Caller, body: JsonObject) => {
    const video = readVideoRequest(body)
    refuseUnoffered(privateImages(video.request), caller, call.catalog.options)
    const row = await submitTask(call, caller, videoOrder(video), deps)
    return Response.json(videoObject(row, call.language))
  }
  return submitting(call, deps, submit, readFormOrJsonBody)
}

function remix(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const submit = async (caller: Caller, body: JsonObject) => {
    const origin = requireFinished(await videoOf(id, caller, deps))
    const video = readRemixRequest(body)
    refuseUnoffered(privateImages(video.request), caller, call.catalog.options)
    const row = await submitTask(call, caller, remixOrder(video, origin), deps)
    return Response.json(videoObject(row, call.language))
  }
  return submitting(call, deps, submit, readFormOrJsonBody)
}

/** Returns the images that only the vendor's account can read. */
const privateImages = ({ firstFrame, lastFrame, references }: VideoRequest) =>
  [firstFrame, lastFrame, ...references].flatMap((image) =>
    typeof image === 'string' ? privateFiles(image).map((id) => ({ id, place: 'images' })) : [],
  )

async function list(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const page = readPage(call.query, ownerOf(await readingCaller(call, deps)))
  return Response.json(await listVideos(deps.ctx.database.query, page, call.language))
}

async function retrieve(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const row = await videoOf(id, await readingCaller(call, deps), deps)
  return Response.json(videoObject(row, call.language))
}

/** The vendor keeps what it has; here the video is gone. */
async function remove(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { clock, database } = deps.ctx
  const row = await videoOf(id, await readingCaller(call, deps), deps)
  if (!hasEnded(row)) throw unfinishedError(row)
  await removeTask(database.query, row.id, clock.now())
  return Response.json({ id: row.public_id, object: 'video.deleted', deleted: true })
}

const variants: ReadonlyMap<string, readonly [kind: 'video' | 'image', place: number]> = new Map([
  ['video', ['video', 0]],
  ['thumbnail', ['image', 0]],
  ['spritesheet', ['image', 1]],
])

async function download(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const row = requireFinished(await videoOf(id, await readingCaller(call, deps), deps))
  const name = new URLSearchParams(call.query).get('variant') ?? 'video'
  const [kind, index] = variants.get(name) ?? []
  if (kind === undefined || index === undefined)
    throw new AppError('video.variant', { params: { variant: name.slice(0, maxNameLength) } })
  return contentOf(row, { kind, index }, call, deps)
}

const maxNameLength = 64

const videoOf = (id: string, caller: Caller, deps: RelayDeps): Promise<TaskRow> =>
  requireTask(decodePathPart(id), 'video', caller, deps)

/** @throws AppError `video.unfinished` */
function requireFinished(row: TaskRow): TaskRow {
  if (row.status !== 'SUCCESS') throw unfinishedError(row)
  return row
}

const unfinishedError = ({ public_id: id }: TaskRow): AppError => new AppError('video.unfinished', { params: { id } })

/** Returns what a client asks for as the engine of tasks takes it. */
const videoOrder = ({ model, request, webhook }: VideoSubmission): TaskOrder => ({
  ...orderOf(model, request),
  isModelChosen: true,
  webhook,
  action: 'GENERATE',
  request: shownRequest(request),
})

/** Returns a remix of a video: as long and as large, with another prompt, at the account that made it. */
function remixOrder({ request, webhook }: Omit<VideoSubmission, 'model'>, origin: TaskRow): TaskOrder {
  const { seconds, resolution } = readShownRequest(origin)
  const remix: VideoRequest = { ...request, seconds, resolution, origin: originTask(origin) }
  const shown: JsonObject = { ...shownRequest(remix), remixed_from: origin.public_id }
  return { ...orderOf(origin.model, remix), webhook, action: 'REMIX', request: shown, origin }
}

const orderOf = (model: string, request: VideoRequest): Omit<TaskOrder, 'action' | 'request'> => ({
  platform: 'video',
  model,
  prompt: request.prompt,
  accepts: (provider, target) => apiOf(provider, target).accepts(request, target),
  write: (provider, target) => apiOf(provider, target).submit(request, target),
})

/** @throws AppError `endpoint.unsupported` */
function apiOf({ tasks }: Provider, { model }: TaskTarget): VideoApi {
  if (!tasks?.video) throw new AppError('endpoint.unsupported', { params: { model } })
  return tasks.video
}
