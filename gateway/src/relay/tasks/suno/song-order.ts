import type { Language } from '../../../http/language'
import type { TaskRow } from '../../../store/tables'
import { readObject } from '../../../tasks/task-store'
import { webhookOf, type TaskOrder } from '../task-order'
import { keptParameters } from '../../../tasks/kept-parameters'
import { usualVersion, type SongRequest } from './song-request'

/** Returns what a song is to the engine. The account of the task that it goes on from makes it. */
export const songOrder = (
  { action, model, body, prompt, notifyHook }: SongRequest,
  origin: TaskRow | null,
  language: Language,
): TaskOrder => ({
  platform: 'suno',
  action,
  model,
  prompt,
  // The hook is called long after this call.
  request: { language, ...keptParameters({ ...body, mv: body['mv'] === usualVersion ? '' : body['mv'] }) },
  webhook: webhookOf(notifyHook),
  accepts: () => ({}),
  write({ tasks }, target) {
    const api = typeof tasks?.suno === 'function' ? tasks.suno(target) : tasks?.suno
    if (!api) throw new TypeError('This vendor makes no songs as Suno does')
    const originTask = origin && { origin: { vendorId: origin.vendor_id, data: readObject(origin.data) } }
    return api.submit({ action, body, ...originTask }, target)
  },
  ...(origin && { origin }),
})
