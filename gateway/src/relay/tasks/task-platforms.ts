import { dialects, isObject, type DialectId } from '@tollgate/dialects'
import type { ErrorCode } from '@tollgate/contract'

import type { IncomingCall } from '../call'
import { drawingFailure } from './midjourney/drawing-failure'
import type { PlatformFailure, TaskPlatformCalls } from './task-endpoint'
import { failureOf, type FailureContext } from '../errors/failure'
import { AppError } from '../../platform/app-error'
import { UpstreamError } from '../../channels/calls/upstream-error'

/** The only list. */
const platforms: readonly TaskPlatformCalls[] = [
  {
    prefix: /^(?:\/mj-(?:fast|relax|turbo))?\/mj\//,
    failure: drawingFailure,
    load: () => import('./midjourney/drawing-calls').then(({ drawingCalls }) => drawingCalls),
  },
  {
    prefix: /^\/(?:pg\/)?suno\//,
    refusal: ({ TaskEnabled }) => (TaskEnabled ? null : 'task.off'),
    failure: songFailure,
    load: () => import('./suno/song-calls').then(({ songCalls }) => songCalls),
  },
  {
    prefix: /^\/v1\/tasks(?=\/|$)/,
    failure: commonFailure,
    load: () => import('./common/common-calls').then(({ commonCalls }) => commonCalls),
  },
  {
    prefix: /^\/(?:v1|pg)\/videos(?!\/(?:characters|edits|extensions)(?:\/|$))(?=\/|$)/,
    refusal: ({ TaskEnabled }) => (TaskEnabled ? null : 'task.off'),
    failure: commonFailure,
    load: () => import('./videos/video-calls').then(({ videoCalls }) => videoCalls),
  },
  {
    prefix: /^\/v1\/images\/(?:generations|edits)(?=\/)/,
    failure: commonFailure,
    load: () => import('./images/image-calls').then(({ imageCalls }) => imageCalls),
  },
  {
    prefix: /^\/v1\/files(?=\/|$)/,
    refusal: ({ FilesEnabled }) => (FilesEnabled ? null : 'endpoint.unsupported'),
    failure: dialectFailure,
    load: () => import('../files/file-calls').then(({ fileCalls }) => fileCalls),
  },
  {
    prefix: /^\/v1\/batches(?=\/|$)/,
    refusal: ({ BatchesEnabled }) => (BatchesEnabled ? null : 'endpoint.unsupported'),
    failure: commonFailure,
    load: () => import('../batches/batch-calls').then(({ batchCalls }) => batchCalls),
  },
  {
    prefix: /^\/v1\/messages\/batches(?=\/|$)/,
    refusal: ({ BatchesEnabled }) => (BatchesEnabled ? null : 'endpoint.unsupported'),
    failure: dialectFailure,
    load: () => import('../batches/message-batch-calls').then(({ messageBatchCalls }) => messageBatchCalls),
  },
  {
    prefix: /^\/v1\/conversations(?=\/|$)/,
    refusal: ({ ResponseTurnsEnabled }) => (ResponseTurnsEnabled ? null : 'endpoint.unsupported'),
    failure: commonFailure,
    load: () => import('../turns/conversation-calls').then(({ conversationCalls }) => conversationCalls),
  },
  {
    // Beside it are calls of the vendor's that name no response.
    prefix: /^\/v1\/responses(?=\/(?!compact$|input_tokens$)[^/]+(?:\/(?:cancel|input_items))?$)/,
    failure: commonFailure,
    load: () => import('./responses/response-calls').then(({ responseCalls }) => responseCalls),
  },
]

/** Returns the platform that a path belongs to, undefined where it belongs to none. */
export const taskPlatformAt = (path: string): TaskPlatformCalls | undefined =>
  platforms.find(({ prefix }) => prefix.test(path))

/** Writes a failed call about tasks in the form of OpenAI's API. */
function commonFailure(error: unknown, context: FailureContext): PlatformFailure {
  return failureIn('openai-chat', error, context)
}

function failureIn(dialect: DialectId, error: unknown, context: FailureContext): PlatformFailure {
  const failure = failureOf(error, context)
  const { status, retryAfterSeconds } = failure
  const body = dialects[dialect].errorBody(failure)
  return { status, body: isObject(body) ? body : {}, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
}

/** Writes a failed call in the dialect of its headers, which share addresses. */
function dialectFailure(error: unknown, call: FailureContext & Pick<IncomingCall, 'dialect'>): PlatformFailure {
  return failureIn(call.dialect, error, call)
}

/** Suno-API's names for errors of ours. */
const knownNames: Partial<Record<ErrorCode, string>> = {
  'quota.user': 'quota_not_enough',
  'quota.token': 'quota_not_enough',
  'key.exhausted': 'quota_not_enough',
  'request.malformed': 'invalid_request',
  'task.field_missing': 'invalid_request',
  'task.field_invalid': 'invalid_request',
  'task.none': 'task_not_exist',
  'route.no_channel': 'get_channel_failed',
  'model.unknown': 'get_channel_failed',
}

/** Returns a failed call in the form of Suno-API. */
function songFailure(error: unknown, context: FailureContext): PlatformFailure {
  const { status, message, code, retryAfterSeconds } = failureOf(error, context)
  const known = error instanceof AppError ? knownNames[error.code] : undefined
  const isRefused = error instanceof UpstreamError && error.fault === 'refused' && error.status === 400
  const name = known ?? (isRefused ? error.code || 'invalid_request' : code)
  return {
    status,
    body: { code: name, message, data: null },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
