import { AppError } from '../../../platform/app-error'
import { songShape } from '../../../tasks/task-view'
import { ownTasks } from '../../../tasks/task-store'
import { readJsonBody } from '../../admission/read-body'
import { ownerOf, type IncomingCall } from '../../call'
import type { RelayDeps } from '../../call-context'
import { submitTask } from '../submit-task'
import { readingCaller, requireTask, submitting } from '../task-call'
import type { TaskEndpoint } from '../task-endpoint'
import { readSong, usualVersion, type SongRequest } from './song-request'
import type { Language } from '../../../http/language'
import type { TaskRow } from '../../../platform/store/tables'
import { selectStoredParameters } from '../../../tasks/stored-parameters'
import { webhookOf, writeAction, type TaskOrder } from '../task-order'

/** The public calls of Suno-API, by what follows `/suno/`. */
export const songCalls: readonly TaskEndpoint[] = [
  { method: 'POST', path: /^submit\/([A-Za-z]+)$/, respond: submitSong },
  { method: 'GET', path: /^fetch\/([^/]+)$/, respond: fetchSong },
  { method: 'POST', path: /^fetch$/, respond: listSongs },
]

async function submitSong(call: IncomingCall, deps: RelayDeps, action: string): Promise<Response> {
  const task = await submitting(call, deps, async (caller, body) => {
    const song = readSong(action, body)
    const origin = song.originId === null ? null : await requireTask(song.originId, 'suno', caller, deps)
    return submitTask(call, caller, songOrder(song, origin, call.language), deps)
  })
  return respondWithSuccess(task.public_id)
}

async function fetchSong(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const task = await requireTask(id, 'suno', await readingCaller(call, deps), deps)
  return respondWithSuccess(songShape(task, call.language))
}

/** More than any client shows at once. */
const maxListed = 500

/** Unknown ids, and those of others, are left out. */
async function listSongs(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const caller = await readingCaller(call, deps)
  using room = deps.inFlight.memory.open(caller.payer.userId)
  const { ids, action } = (await readJsonBody(call.request, call.dialect, deps.ctx, room)).json
  if (!Array.isArray(ids) || ids.length > maxListed)
    throw new AppError('task.field_invalid', { params: { field: 'ids' } })
  const tasks = await ownTasks(deps.ctx.database.query, ids.map(String), {
    ...ownerOf(caller),
    platform: 'suno',
  })
  const actionFilter = typeof action === 'string' ? action.toUpperCase() : ''
  return respondWithSuccess(
    tasks
      .filter((task) => actionFilter === '' || task.action === actionFilter)
      .map((task) => songShape(task, call.language)),
  )
}

const respondWithSuccess = (data: unknown): Response => Response.json({ code: 'success', message: '', data })

/** Returns what a song is to the engine. The account of the task that it goes on from makes it. */
const songOrder = (
  { action, model, body, prompt, texts, notifyHook }: SongRequest,
  origin: TaskRow | null,
  language: Language,
): TaskOrder => ({
  platform: 'suno',
  action,
  model,
  prompt,
  texts,
  // The hook is called long after this call.
  request: { language, ...selectStoredParameters({ ...body, mv: body['mv'] === usualVersion ? '' : body['mv'] }) },
  webhook: webhookOf(notifyHook),
  accepts: () => ({}),
  write: (provider, target) => writeAction('suno', { action, body, origin }, provider, target),
  ...(origin && { origin }),
})
