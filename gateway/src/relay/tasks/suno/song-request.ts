import type { JsonObject } from '@tollgate/dialects'

import { AppError } from '../../../platform/app-error'
import { missingField } from '../common/common-calls'

/** A submission as a client writes it. */
export interface SongRequest {
  readonly action: 'MUSIC' | 'LYRICS'
  /** As channels list it. */
  readonly model: 'suno_music' | 'suno_lyrics'
  /** The task that this one goes on from, by its public id. */
  readonly originId: string | null
  readonly body: JsonObject
  /** The client's own words; the task shows them. */
  readonly prompt: string
  /** All of the client's words. */
  readonly texts: readonly string[]
  /** Where the client wants to be notified; empty: nowhere. */
  readonly notifyHook: string
}

/** What a song is made with where the client does not say. */
export const usualVersion = 'chirp-v3-0'

/**
 * Reads a submission; `action` is what follows `/suno/submit/`.
 * @throws AppError `task.field_missing`, `task.field_invalid`.
 */
export function readSong(action: string, body: JsonObject): SongRequest {
  const kind = action.toUpperCase()
  if (kind !== 'MUSIC' && kind !== 'LYRICS') throw new AppError('task.field_invalid', { params: { field: 'action' } })
  const [prompt, description] = [textIn(body['prompt']), textIn(body['gpt_description_prompt'])]
  const texts = [prompt, description, textIn(body['title']), textIn(body['tags'])].filter((text) => text !== '')
  const notifyHook = textIn(body['notify_hook'])
  if (kind === 'LYRICS') {
    if (prompt === '') throw missingField('prompt')
    return { action: kind, model: 'suno_lyrics', originId: null, body, prompt, texts, notifyHook }
  }
  if (prompt === '' && description === '') throw missingField('prompt')
  const originId = textIn(body['task_id'])
  if (textIn(body['continue_clip_id']) !== '' && originId === '') throw missingField('task_id')
  return {
    action: kind,
    model: 'suno_music',
    originId: originId === '' ? null : originId,
    body: { ...body, mv: textIn(body['mv']) || usualVersion },
    prompt: description || prompt,
    texts,
    notifyHook,
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
