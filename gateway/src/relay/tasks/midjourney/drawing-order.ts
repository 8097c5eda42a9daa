import type { OptionValues } from '@tollgate/contract'

import type { TaskRow } from '../../../store/tables'
import { readObject } from '../../../tasks/task-store'
import type { TaskOrder } from '../task-order'
import type { DrawingRequest } from './drawing-request'

/** Returns what a drawing is to the engine. The account of the task that it goes on from makes it. */
export const drawingOrder = (
  request: DrawingRequest,
  origin: TaskRow | null,
  { MjNotifyEnabled }: Pick<OptionValues, 'MjNotifyEnabled'>,
): TaskOrder => ({
  platform: 'mj',
  action: request.action,
  model: request.model,
  prompt: request.prompt || (origin?.prompt ?? ''),
  request: { state: request.state },
  accepts: () => ({}),
  write({ tasks }, target) {
    const api = typeof tasks?.mj === 'function' ? tasks.mj(target) : tasks?.mj
    if (!api) throw new TypeError('This vendor does not draw as Midjourney does')
    const { action, body } = request
    const callbackUrl = MjNotifyEnabled ? target.callbackUrl : null
    return api.submit({ action, body, ...wishedOrigin(origin) }, { ...target, callbackUrl })
  },
  ...(origin && { origin }),
})

const wishedOrigin = (origin: TaskRow | null) =>
  origin && { origin: { vendorId: origin.vendor_id, data: readObject(origin.data) } }
