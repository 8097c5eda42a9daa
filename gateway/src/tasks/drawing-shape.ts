import { hasEnded } from '@tollgate/contract'
import { isObject, type JsonObject } from '@tollgate/dialects'

import type { Language } from '../http/language'
import { shownText } from '../platform/locales/sentence'
import type { TaskRow } from '../platform/store/tables'
import { readObject, readResults } from './task-store'

/** What the shape of a drawing depends on besides its row. */
export interface ShownAt {
  /** The site's own address, without a trailing slash. */
  readonly site: string
  /** Pictures get an address of the site. */
  readonly isForwarded: boolean
  readonly language: Language
}

/** Returns a task as midjourney-proxy writes it. */
export function drawingShape(task: TaskRow, shownAt: ShownAt): JsonObject {
  const data = readObject(task.data)
  const { state } = readObject(task.request)
  const videos = readResults(task).flatMap(({ kind, url }) => (kind === 'video' && url !== undefined ? [url] : []))
  return {
    id: task.public_id,
    action: task.action,
    prompt: task.prompt,
    promptEn: textIn(data['promptEn']) || task.prompt,
    description: textIn(data['description']),
    state: textIn(state),
    submitTime: task.submitted_at,
    startTime: task.started_at,
    finishTime: task.finished_at,
    imageUrl: imageAddress(task, shownAt),
    status: statuses[task.status] ?? task.status,
    progress: `${task.progress}%`,
    failReason: shownText(task.fail_reason, shownAt.language),
    buttons: Array.isArray(data['buttons']) ? data['buttons'] : [],
    properties: isObject(data['properties']) ? data['properties'] : {},
    ...(videos.length > 0 && { videoUrl: videos[0], videoUrls: videos.map((url) => ({ url })) }),
  }
}

/** Midjourney-proxy's names for states that it does not tell apart. */
const statuses: Readonly<Record<string, string>> = { UNKNOWN: 'SUBMITTED' }

/** Returns where a client finds the picture of a drawing; empty while there is none. */
function imageAddress(task: TaskRow, { site, isForwarded }: ShownAt): string {
  const image = readResults(task).find(({ kind }) => kind === 'image')
  if (image === undefined) return ''
  if (!isForwarded && image.isSecret !== true && image.url !== undefined) return image.url
  // Programs keep what they fetched from an address: an unfinished picture changes.
  const version = hasEnded(task) ? '' : `?rand=${task.polls}`
  return `${site}/mj/image/${task.public_id}${version}`
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
