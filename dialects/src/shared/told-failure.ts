import type { ErrorView } from '../dialect'
import { isObject, type JsonObject } from '../json'
import { objectOf } from '../neutral/read'
import { codeName, firstText } from './errors'

/** The type of the error that stands for an answer which holds nothing of its dialect and tells nothing either. */
export const noAnswer = 'no_answer'

/**
 * The failure that came with a good status, in whatever members the vendor tells it. An object with what its dialect answers with
 * is one only where it says so outright; `base_resp` is MiniMax's, `error_code` Baidu's, `header` iFlytek's, `success` that of
 * many relays. Null when it does not.
 */
export function toldFailure(answer: JsonObject, isAnswer: boolean): ErrorView | null {
  const { base_resp: base, header } = answer
  const outright =
    failureOf(objectOf(base)['status_code'], objectOf(base)['status_msg'], answer) ??
    failureOf(answer['error_code'] ?? answer['errorCode'] ?? answer['errcode'], answer['errmsg'], answer) ??
    (isObject(header) ? failureOf(header['code'], header['message'], answer) : null)
  if (outright !== null) return outright
  if (answer['success'] === false) return failure(codeName(answer['code']), undefined, answer)
  if (isAnswer) return null
  // A code without a sentence may be anything.
  return firstText(answer) === '' ? null : failureOf(answer['code'], undefined, answer)
}

/** As `toldFailure` of a whole answer, of which its dialect's own member must be there. */
export const failureIn = (answer: JsonObject, isAnswer: boolean): ErrorView | null =>
  toldFailure(answer, isAnswer) ??
  (isAnswer ? null : { message: firstText(answer) || 'The answer is empty', type: noAnswer, code: '', param: null })

const successes: ReadonlySet<string> = new Set(['', '0', '200', 'ok', 'success'])

function failureOf(told: unknown, message: unknown, answer: JsonObject): ErrorView | null {
  if (told === undefined) return null
  const code = codeName(told)
  return successes.has(code.toLowerCase()) ? null : failure(code, message, answer)
}

function failure(code: string, message: unknown, answer: JsonObject): ErrorView {
  const said = typeof message === 'string' && message !== '' ? message : firstText(answer)
  const status = /^[45]\d\d$/.test(code) ? Number(code) : undefined
  return {
    ...(status !== undefined && { status }),
    message: said || (code === '' ? 'The upstream reported a failure.' : `The upstream reported the code ${code}.`),
    type: '',
    code,
    param: null,
  }
}

/** Whether a member is a list with at least one object. */
export const hasObjects = (value: unknown): boolean => Array.isArray(value) && value.some(isObject)
