import {
  dialects,
  errorStatus,
  isObject,
  noAnswer,
  outlineOf,
  parseAnswer,
  parseInSlices,
  type AnswerView,
  type ErrorView,
  type JsonObject,
  type SlicedLimits,
  TooMuchText,
} from '@tollgate/dialects'
import { errorStatusOf, type ModeDescription } from '@tollgate/providers'
import type { OptionValues } from '@tollgate/contract'

import { inTurns } from '../../platform/time/timers'
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

/** Parsing more takes many milliseconds. */
const longBytes = 1024 * 1024

/** Returns whether a JSON text is parsed so soon that nothing need wait for a turn of the event loop. */
export const isShort = (bytes: Uint8Array): boolean => bytes.byteLength <= longBytes

/**
 * Resolves with the value of a JSON text, of a long one with a turn of the event loop for each slice: others need not wait for all of them.
 * @throws SyntaxError
 */
export async function parseJsonInTurns(bytes: Uint8Array, limits?: SlicedLimits): Promise<unknown> {
  if (isShort(bytes)) return parseAnswer(decoder.decode(bytes))
  return inTurns(parseInSlices(bytes, limits))
}

/** Does the same for a text. */
export const parseTextInTurns = async (text: string): Promise<unknown> =>
  text.length <= longBytes ? parseAnswer(text) : parseJsonInTurns(Buffer.from(text))

/**
 * Resolves with the object that an upstream responded with.
 * @throws UpstreamError `malformed`.
 */
export async function parseInTurns(bytes: Uint8Array, limits?: SlicedLimits): Promise<JsonObject> {
  let value: unknown
  try {
    value = await parseJsonInTurns(bytes, limits)
  } catch (error) {
    throw asMalformed(error)
  }
  return requireObject(value)
}

/**
 * Returns the object that an upstream responded with, of a short text.
 * @throws UpstreamError `malformed`.
 */
export function parseObject(bytes: Uint8Array): JsonObject {
  let value: unknown
  try {
    value = parseAnswer(decoder.decode(bytes))
  } catch (error) {
    throw asMalformed(error)
  }
  return requireObject(value)
}

function asMalformed(error: unknown): unknown {
  if (error instanceof TooMuchText) return createMalformedError('The answer is too large')
  return error instanceof SyntaxError ? createMalformedError('The response is not JSON') : error
}

function requireObject(value: unknown): JsonObject {
  if (!isObject(value)) throw createMalformedError('The response is not a JSON object')
  return value
}

/** The probabilities of 16,000 tokens with 20 alternatives each. */
const passingLimits: SlicedLimits = { textBytes: 24 * 1024 * 1024 }
/** What is translated is written anew in one turn. 400,000 tokens, more than any model says, have 2 MB. */
const translatedLimits: SlicedLimits = { textBytes: 8 * 1024 * 1024 }

/** Returns how much a chat may respond with besides images and sounds in base64; undefined for other modes. */
export function responseLimits(
  { dialect }: Pick<ModeDescription, 'dialect'>,
  isTranslated: boolean,
): SlicedLimits | undefined {
  if (dialects[dialect].codec?.kind !== 'chat') return undefined
  return isTranslated ? translatedLimits : passingLimits
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
