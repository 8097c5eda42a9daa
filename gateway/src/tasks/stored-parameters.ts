import { taskRoutes } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'
import * as z from 'zod'

import type { TaskRow } from '../platform/store/tables'
import { readObject } from './task-store'

/** What a task keeps of its request besides model and prompt, among the members of its `request`. */
const StoredParameters = z.object({
  parameters: taskRoutes.TaskParameters.optional().catch(undefined),
  /** Names of those that are not kept. */
  left_out: z.array(z.string()).optional().catch(undefined),
})
export type StoredParameters = z.output<typeof StoredParameters>

const maxTextLength = 8000
/** A request with more of it keeps none. */
const maxBytes = 16_384
const maxNames = 50
const maxNameLength = 64

/** Members of all platforms that describe the call and not what it makes, or that a task has a column for. */
const ofTheCall: ReadonlySet<string> = new Set([
  'model',
  'group',
  'user',
  'async',
  'stream',
  'partial_images',
  'response_format',
  'callback_url',
  'notify_hook',
])

/** Where pictures are. Only addresses of the web are kept of them. */
const imageFields =
  /^(?:input_reference|image|image_url|images|first_frame|first_frame_image|last_frame|last_frame_image|image_tail|reference_images|mask)(?:\[\])?$/

/**
 * Returns what a task keeps of its request, so that the same can be requested again: plain members, by their names. Files and pictures within
 * the request are too large to be kept; what is left out is named. `elsewhere`: a member that the task has a column for.
 */
export function selectStoredParameters(body: JsonObject, elsewhere = ''): StoredParameters {
  const described = Object.entries(body).filter(([name, value]) => name !== elsewhere && describesResult(name, value))
  const parameters = Object.fromEntries(
    described.flatMap(([name, value]) => (isStored(name, value) ? [[name, value] as const] : [])),
  )
  const isTooLarge = Buffer.byteLength(JSON.stringify(parameters)) > maxBytes
  const leftOut = described.filter(([name]) => isTooLarge || !Object.hasOwn(parameters, name)).map(([name]) => name)
  return {
    ...(leftOut.length < described.length && { parameters }),
    ...(leftOut.length > 0 && { left_out: leftOut.slice(0, maxNames) }),
  }
}

/** Returns what is kept of a task's request; nothing for a task of an earlier release. */
export const readStoredParameters = ({ request }: Pick<TaskRow, 'request'>): StoredParameters =>
  StoredParameters.parse(readObject(request))

const describesResult = (name: string, value: unknown): boolean =>
  !ofTheCall.has(name) && name.length <= maxNameLength && value !== undefined && value !== null && value !== ''

function isStored(name: string, value: unknown): value is string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true
  if (typeof value !== 'string' || value.length > maxTextLength) return false
  return imageFields.test(name) ? /^https?:\/\//i.test(value) : !value.startsWith('data:')
}
