import { storedPhrase } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'
import type { VideoRequest } from '@tollgate/providers'
import * as z from 'zod'

import type { Language } from '../../../http/language'
import { shownText } from '../../../platform/locales/sentence'
import type { TaskRow } from '../../../platform/store/tables'
import { readObject } from '../../../tasks/task-store'
import { readTerms } from '../../../tasks/task-terms'
import { selectStoredParameters } from '../../../tasks/stored-parameters'
import { unixSeconds } from '../../../tasks/task-view'

/** What a video's object shows of the request again. */
const ShownRequest = z.object({
  seconds: z.number().nullable().catch(null),
  size: z.string().nullable().catch(null),
  resolution: z.string().nullable().catch(null),
  ratio: z.string().nullable().catch(null),
  remixed_from: z.string().nullable().catch(null),
})

/** Returns what is kept of a request, to be shown with the video. */
export const shownRequest = ({ own, seconds, frame, resolution, aspectRatio }: VideoRequest): JsonObject => ({
  ...selectStoredParameters(own, 'prompt'),
  seconds,
  size: frame && `${frame.width}x${frame.height}`,
  resolution,
  ratio: aspectRatio,
})

/** Returns what is kept of the request of a video, completed by what its vendor accepted. */
export function readShownRequest({ request, terms }: Pick<TaskRow, 'request' | 'terms'>) {
  const shown = ShownRequest.parse({ remixed_from: null, ...readObject(request) })
  const { accepted } = readTerms(terms)
  return {
    ...shown,
    seconds: shown.seconds ?? accepted.seconds ?? null,
    resolution: shown.resolution ?? accepted.size ?? null,
  }
}

const states: Readonly<Record<string, 'queued' | 'in_progress' | 'completed' | 'failed'>> = {
  NOT_START: 'queued',
  SUBMITTED: 'queued',
  QUEUED: 'queued',
  SUCCESS: 'completed',
  FAILURE: 'failed',
  CANCEL: 'failed',
}

/** Returns a task as OpenAI's API shows a video. https://platform.openai.com/docs/api-reference/videos/object */
export function videoObject(row: TaskRow, language: Language): JsonObject {
  const shown = readShownRequest(row)
  const status = states[row.status] ?? 'in_progress'
  return {
    id: row.public_id,
    object: 'video',
    model: row.model,
    status,
    progress: row.progress,
    created_at: unixSeconds(row.submitted_at),
    completed_at: status === 'completed' ? unixSeconds(row.finished_at) : null,
    expires_at: null,
    seconds: String(shown.seconds ?? 0),
    size: shown.size ?? sizeOf(shown.resolution, shown.ratio),
    prompt: row.prompt,
    remixed_from_video_id: shown.remixed_from,
    error: status === 'failed' ? errorOf(row, language) : null,
  }
}

const errorOf = ({ status, fail_reason: reason }: TaskRow, language: Language): JsonObject => ({
  code: status === 'CANCEL' ? 'cancelled' : 'video_generation_failed',
  message: shownText(reason === '' ? storedPhrase('task.failed') : reason, language),
})

/** Returns the pixels of a resolution in a ratio: `1280x720` for `720p`. */
function sizeOf(resolution: string | null, ratio: string | null): string {
  const lines =
    resolution === '4k' ? 2160 : resolution === '2k' ? 1440 : Number.parseInt(resolution ?? '720', 10) || 720
  const [width = 16, height = 9] = (ratio ?? '16:9').split(':').map(Number)
  const longer = (part: number, other: number) => 2 * Math.round((lines * part) / other / 2)
  return width >= height ? `${longer(width, height)}x${lines}` : `${lines}x${longer(height, width)}`
}
