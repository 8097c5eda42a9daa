import type { TaskRow } from '../../../platform/store/tables'
import type { IncomingCall } from '../../call'
import { webhookOf, writeAction, type TaskOrder } from '../task-order'
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
  write(provider, target) {
    const { action, body } = request
    const callbackUrl = options.MjNotifyEnabled ? target.callbackUrl : null
    return writeAction('mj', { action, body, origin }, provider, { ...target, callbackUrl })
  },
  ...(origin && { origin }),
})
