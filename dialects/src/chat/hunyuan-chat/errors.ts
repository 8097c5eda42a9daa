import type { ErrorView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectOf, parsedObject, textOf } from '../../core/neutral/read'
import { codeName, errorIn as errorOfOthers, readUpstreamError } from '../../core/shared/errors'
import { responseIn } from './names'

/** The error that a response or an event reports, all of which come with status 200; null when it tells none. */
export function errorIn(answer: JsonObject): ErrorView | null {
  const { Error: error, ErrorMsg: inStream } = responseIn(answer)
  if (error === undefined && inStream === undefined) return errorOfOthers(answer)
  const { Code, Message, Msg } = objectOf(error ?? inStream)
  const code = codeName(Code)
  const message = textOf(Message) || textOf(Msg)
  if ((code === '' || code === '0') && message === '') return null
  return { message: message || code, type: '', code, param: null }
}

/** The body of an error of the gateway before the API has another form. */
export const readError = (status: number, body: string): ErrorView =>
  errorIn(parsedObject(body) ?? {}) ?? readUpstreamError(status, body)
