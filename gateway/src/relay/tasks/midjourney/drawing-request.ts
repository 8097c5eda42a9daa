import type { OptionValues } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import { AppError } from '../../../platform/app-error'
import { actionOfButton, changeIn, modelOfAction, type DrawingAction } from './drawing-actions'
import { missingField } from '../common/common-calls'

/** A submission as a client writes it. */
export interface DrawingRequest {
  readonly action: DrawingAction
  /** As channels list it. */
  readonly model: string
  /** The task that this one goes on from, by its public id. */
  readonly originId: string | null
  /** What the vendor is sent, but for ids and addresses. */
  readonly body: JsonObject
  /** The client's own words; the task shows them. */
  readonly prompt: string
  /** Returned with the task. */
  readonly state: string
  /** Where the client wants to be notified; empty: nowhere. */
  readonly notifyHook: string
}

type Reading = Pick<DrawingRequest, 'action' | 'body'> & Partial<Pick<DrawingRequest, 'originId' | 'prompt'>>

/** How the body of each submission is read, by what follows `/mj/`. */
const operations: Readonly<Record<string, (body: JsonObject) => Reading>> = {
  'submit/imagine': (body) => ({ action: 'IMAGINE', body, prompt: requireText(body, 'prompt') }),
  'submit/shorten': (body) => ({ action: 'SHORTEN', body, prompt: requireText(body, 'prompt') }),
  'submit/describe': (body) => {
    if (!has(body, 'base64') && !has(body, 'base64Array') && !has(body, 'link')) throw missingField('base64')
    return { action: 'DESCRIBE', body }
  },
  'submit/blend': (body) => {
    const count = Array.isArray(body['base64Array']) ? body['base64Array'].length : 0
    if (count < 2 || count > 5) throw invalid('base64Array')
    if (body['dimensions'] !== undefined && !dimensions.has(body['dimensions'])) throw invalid('dimensions')
    return { action: 'BLEND', body }
  },
  'submit/upload-discord-images': (body) => {
    if (!has(body, 'base64Array')) throw missingField('base64Array')
    return { action: 'UPLOAD', body }
  },
  'submit/change': (body) => {
    const { action, index } = body
    if (action !== 'UPSCALE' && action !== 'VARIATION' && action !== 'REROLL') throw invalid('action')
    if (action !== 'REROLL' && !isIndex(index)) throw invalid('index')
    return { action, body, originId: requireText(body, 'taskId') }
  },
  'submit/simple-change': (body) => {
    const change = changeIn(requireText(body, 'content'))
    if (!change) throw invalid('content')
    const { content: _, ...rest } = body
    return { action: change.action, body: { ...rest, ...change }, originId: change.taskId }
  },
  'submit/action': (body) => {
    const action = actionOfButton(requireText(body, 'customId'))
    if (action === null) throw invalid('customId')
    return { action, body, originId: requireText(body, 'taskId') }
  },
  'submit/modal': (body) => ({
    action: 'MODAL',
    body,
    originId: requireText(body, 'taskId'),
    prompt: textIn(body['prompt']),
  }),
  'submit/edits': (body) => ({ action: 'EDITS', body, prompt: requireText(body, 'prompt') }),
  'submit/video': (body) => {
    const originId = textIn(body['taskId'])
    if (originId === '' && !has(body, 'image') && !has(body, 'prompt')) throw missingField('prompt')
    return { action: 'VIDEO', body, originId: originId === '' ? null : originId, prompt: textIn(body['prompt']) }
  },
  'insight-face/swap': (body) => {
    requireText(body, 'sourceBase64')
    requireText(body, 'targetBase64')
    return { action: 'SWAP_FACE', body, prompt: 'InsightFace' }
  },
}

const dimensions: ReadonlySet<unknown> = new Set(['PORTRAIT', 'SQUARE', 'LANDSCAPE'])

const isIndex = (index: unknown): boolean => Number.isInteger(index) && Number(index) >= 1 && Number(index) <= 4

/** Returns whether a submission of this name exists; it follows `/mj/` in the address. */
export const isDrawingOperation = (operation: string): boolean => Object.hasOwn(operations, operation)

/**
 * Reads a submission, with what the options remove from it.
 * @throws AppError `task.field_missing`, `task.field_invalid`.
 */
export function readDrawing(operation: string, sent: JsonObject, options: OptionValues): DrawingRequest {
  const read = operations[operation]
  if (!read) throw new AppError('endpoint.unknown', { params: { path: operation } })
  const reading = read(sent)
  const { notifyHook, accountFilter, ...rest } = reading.body
  const keepsFilter = options.MjAccountFilterEnabled && accountFilter !== undefined
  const body: JsonObject = keepsFilter ? { ...rest, accountFilter } : rest
  const clears = options.MjModeClearEnabled && typeof body['prompt'] === 'string'
  return {
    originId: null,
    prompt: '',
    ...reading,
    body: clears ? { ...body, prompt: withoutMode(textIn(body['prompt'])) } : body,
    model: modelOfAction(reading.action),
    state: textIn(sent['state']),
    notifyHook: textIn(notifyHook),
  }
}

/** Returns a prompt without the words that choose how fast it is drawn. */
const withoutMode = (prompt: string): string =>
  prompt.replaceAll(/(?<!\s)\s*--(?:fast|relax|turbo)(?![\w-])/gi, '').trim()

function requireText(body: JsonObject, field: string): string {
  const text = textIn(body[field])
  if (text.trim() === '') throw missingField(field)
  return text
}

/** Ids that a client writes as a number are read as well. */
const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : ''

function has(body: JsonObject, field: string): boolean {
  const value = body[field]
  return Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value !== ''
}

const invalid = (field: string) => new AppError('task.field_invalid', { params: { field } })
