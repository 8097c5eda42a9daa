import type { TaskRow } from '../../../store/tables'
import { readObject } from '../../../tasks/task-store'
import type { TaskOrder } from '../task-order'
import type { SongRequest } from './song-request'

/** Returns what a song is to the engine. The account of the task that it goes on from makes it. */
export const songOrder = ({ action, model, body, prompt }: SongRequest, origin: TaskRow | null): TaskOrder => ({
  platform: 'suno',
  action,
  model,
  prompt,
  request: {},
  accepts: () => ({}),
  write({ tasks }, target) {
    const api = typeof tasks?.suno === 'function' ? tasks.suno(target) : tasks?.suno
    if (!api) throw new TypeError('This vendor makes no songs as Suno does')
    const wished = origin && { origin: { vendorId: origin.vendor_id, data: readObject(origin.data) } }
    return api.submit({ action, body, ...wished }, target)
  },
  ...(origin && { origin }),
})
