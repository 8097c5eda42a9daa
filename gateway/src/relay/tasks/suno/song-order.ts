import type { Language } from '../../../http/language'
import type { TaskRow } from '../../../platform/store/tables'
import { keptParameters } from '../../../tasks/kept-parameters'
import { webhookOf, writeAction, type TaskOrder } from '../task-order'
import { usualVersion, type SongRequest } from './song-request'

/** Returns what a song is to the engine. The account of the task that it goes on from makes it. */
export const songOrder = (
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
  request: { language, ...keptParameters({ ...body, mv: body['mv'] === usualVersion ? '' : body['mv'] }) },
  webhook: webhookOf(notifyHook),
  accepts: () => ({}),
  write: (provider, target) => writeAction('suno', { action, body, origin }, provider, target),
  ...(origin && { origin }),
})
