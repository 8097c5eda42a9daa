import {
  dialects,
  errorStatus,
  isObject,
  noAnswer,
  outlineOf,
  parseAnswer,
  type AnswerView,
  type ErrorView,
  type JsonObject,
} from '@tollgate/dialects'
import { errorStatusOf, type ModeDescription } from '@tollgate/providers'
import type { OptionValues } from '@tollgate/contract'

import { nextTurn } from '../../platform/time/timers'
import { UpstreamError } from './upstream-error'

/** Returns the error for a response that could not be parsed. */
export const createMalformedError = (message: string) => new UpstreamError({ fault: 'malformed', status: 502, message })

/** Returns the error for an answer that the vendor, or the model, withheld for its content. */
export const createWithheldError = () =>
  new UpstreamError({
    fault: 'refused',
    status: 400,
    message: 'The model withheld its answer',
    type: 'invalid_request_error',
    code: 'content_filter',
  })

const decoder = new TextDecoder()

/** Parses the object an upstream responded with. @throws UpstreamError `malformed`. */
export const parseResponseObject = (bytes: Uint8Array): JsonObject => objectIn(decoder.decode(bytes))

function objectIn(text: string): JsonObject {
  let value: unknown
  try {
    value = parseAnswer(text)
  } catch {
    throw createMalformedError('The response is not JSON')
  }
  if (!isObject(value)) throw createMalformedError('The response is not a JSON object')
  return value
}

/** Each step with more bytes takes milliseconds. */
const longBytes = 1024 * 1024

/**
 * Resolves with the object of a long response, with a turn of the event loop for each step: others need not wait for all of them.
 * @throws UpstreamError `malformed`.
 */
export async function parseInTurns(bytes: Uint8Array): Promise<JsonObject> {
  if (bytes.byteLength <= longBytes) return parseResponseObject(bytes)
  await nextTurn()
  const text = decoder.decode(bytes)
  await nextTurn()
  return objectIn(text)
}

/** Returns what is parsed of a response whose bytes pass unchanged: a bulky one without its longest strings. */
export const passingBytes = (bytes: Uint8Array, { dialect }: Pick<ModeDescription, 'dialect'>): Uint8Array =>
  dialects[dialect].isBulky ? outlineOf(bytes) : bytes

/**
 * Reads a good response. An error that came with status 200, or a response without anything that its dialect responds with, is treated
 * like a 5xx, unless the vendor's description knows better: another channel may serve.
 * @throws UpstreamError `refused`, `malformed`.
 */
export function readResponseObject(responseObject: JsonObject, description: ModeDescription): AnswerView {
  const view = dialects[description.dialect].readAnswer(responseObject)
  if (view.error) throw errorInResponse(view.error, description)
  return view
}

/** Returns the error for a failure reported with a good status, as if it had come with its own. */
export function errorInResponse(
  error: ErrorView,
  { errorStatuses }: Pick<ModeDescription, 'errorStatuses'>,
): UpstreamError {
  if (error.type === noAnswer) return createMalformedError(error.message)
  const status = errorStatusOf(errorStatuses, error.code) ?? errorStatus(error) ?? 502
  return new UpstreamError({ ...error, fault: 'refused', status })
}

export type EmptyResponsePolicy = OptionValues['EmptyAnswers']

/** Returns whether an answer has nothing for its reader: neither text, nor a call of a tool, nor a picture. */
export const isBare = (view: AnswerView): boolean =>
  view.isEmpty && view.toolCalls === 0 && (view.images?.() ?? 0) === 0

/**
 * Throws for an answer, whole or at its end, that the site counts as a failure: another channel may answer.
 * @throws UpstreamError `malformed`.
 */
export function refuseEmpty(view: AnswerView, failing: EmptyResponsePolicy): void {
  if (failing === 'none' || !isBare(view)) return
  const { usage } = view
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {}
  const isFailure =
    completionTokens === 0 && (failing === 'empty' || (usage !== null && promptTokens === 0 && !usage.unreported))
  if (isFailure) throw createMalformedError('The answer is empty')
}
