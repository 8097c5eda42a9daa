import type { TaskRow } from '../../../store/tables'
import { readObject } from '../../../tasks/task-store'
import type { IncomingCall } from '../../call'
import { webhookOf, type TaskOrder } from '../task-order'
import type { DrawingRequest } from './drawing-request'

/** Returns what a drawing is to the engine. The account of the task that it goes on from makes it. */
export const drawingOrder = (
  request: DrawingRequest,
  origin: TaskRow | null,
  { catalog: { options }, language }: Pick<IncomingCall, 'catalog' | 'language'>,
): TaskOrder => ({
  platform: 'mj',
  action: request.action,
  model: request.model,
  prompt: request.prompt || (origin?.prompt ?? ''),
  // The hook is called long after this call.
  request: { state: request.state, language },
  webhook: options.MjNotifyEnabled ? webhookOf(request.notifyHook) : '',
  accepts: () => ({}),
  write({ tasks }, target) {
    const api = typeof tasks?.mj === 'function' ? tasks.mj(target) : tasks?.mj
    if (!api) throw new TypeError('This vendor does not draw as Midjourney does')
    const { action, body } = request
    const callbackUrl = options.MjNotifyEnabled ? target.callbackUrl : null
    return api.submit({ action, body, ...wishedOrigin(origin) }, { ...target, callbackUrl })
  },
  ...(origin && { origin }),
})

const wishedOrigin = (origin: TaskRow | null) =>
  origin && { origin: { vendorId: origin.vendor_id, data: readObject(origin.data) } }
