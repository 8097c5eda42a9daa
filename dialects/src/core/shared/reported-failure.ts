import type { ErrorView } from '../views'
import { isObject, type JsonObject } from '../json'
import { objectOf } from '../neutral/read'
import { codeName, firstText } from './errors'

/** Type of the error for a response without any content of its dialect and without a message. */
export const noAnswer = 'no_answer'

/**
 * Returns the failure in a response with a success status, in whichever fields the vendor reports it. A response with the content of its dialect
 * is one only where a field says so outright; `base_resp` is MiniMax's, `error_code` Baidu's, `header` iFlytek's, `error_type` that of hosts of vLLM, `success` that of
 * many relays. Null when there is none.
 */
export function reportedFailure(answer: JsonObject, isAnswer: boolean): ErrorView | null {
  const { base_resp: base, header } = answer
  const outright =
    failureOf(objectOf(base)['status_code'], objectOf(base)['status_msg'], answer) ??
    failureOf(answer['error_code'] ?? answer['errorCode'] ?? answer['errcode'], answer['errmsg'], answer) ??
    (isObject(header) ? failureOf(header['code'], header['message'], answer) : null) ??
    failureOf(answer['error_type'], answer['error_message'], answer)
  if (outright !== null) return outright
  if (answer['success'] === false) return failure(codeName(answer['code']), undefined, answer)
  // A code without a sentence may be anything.
  if (isAnswer || firstText(answer) === '') return null
  return (
    failureOf(answer['code'], undefined, answer) ??
    failureOf(statusIn(answer), undefined, answer) ??
    // Proxies and relays that say no more.
    (answer['type'] === 'error' || answer['detail'] !== undefined ? failure('', undefined, answer) : null)
  )
}

/** Frameworks of web servers tell the status in one of these. */
const statusIn = ({ status, statusCode }: JsonObject): unknown =>
  [status, statusCode].find((reported) => typeof reported === 'number' && reported >= 400)

/** As `reportedFailure` of a whole answer, of which its dialect's own member must be there. */
export const failureIn = (answer: JsonObject, isAnswer: boolean): ErrorView | null =>
  reportedFailure(answer, isAnswer) ??
  (isAnswer ? null : { message: firstText(answer) || 'The answer is empty', type: noAnswer, code: '', param: null })

const successes: ReadonlySet<string> = new Set(['', '0', '200', 'ok', 'success'])

function failureOf(reported: unknown, message: unknown, answer: JsonObject): ErrorView | null {
  if (reported === undefined) return null
  const code = codeName(reported)
  return successes.has(code.toLowerCase()) ? null : failure(code, message, answer)
}

function failure(code: string, message: unknown, answer: JsonObject): ErrorView {
  const text = typeof message === 'string' && message !== '' ? message : firstText(answer)
  const status = /^[45]\d\d$/.test(code) ? Number(code) : undefined
  return {
    ...(status !== undefined && { status }),
    message: text || (code === '' ? 'The upstream reported a failure.' : `The upstream reported the code ${code}.`),
    type: '',
    code,
    param: null,
  }
}

/** Whether a member is a list with at least one object. */
export const hasObjects = (value: unknown): boolean => Array.isArray(value) && value.some(isObject)

/** Type of the error for an answer in which the model produced nothing that can be used: another attempt may do better. */
export const failedOutput = 'failed_output'

/**
 * Reasons to end by which the model's output was unusable, or its upstream failed, as followers of OpenAI name them: Google's compatible
 * endpoint as `function_call_filter: MALFORMED_FUNCTION_CALL`, Zhipu as `network_error`, OpenRouter as `error`.
 * https://docs.bigmodel.cn/api-reference and https://openrouter.ai/docs/api-reference/overview#finish-reason
 */
const failedReason =
  /malformed_(?:function_call|tool_use|(?:model_)?(?:response|output))|(?:unexpected|too_many)_tool_calls?|missing_thought_signature|^(?:network_)?error$/i

/** Finds such a reason in the text of an event. */
export const failedReasonWord = /"finish_reason" ?: ?"[^"]{0,40}(?:malformed_|_tool_calls?"|_signature"|error")/i

/** Returns the failure of choices of which one ended so; null where none did. It is a failure where nothing was said before. */
export function failedChoice(choices: unknown): ErrorView | null {
  for (const choice of Array.isArray(choices) ? choices : []) {
    const reason: unknown = isObject(choice) ? choice['finish_reason'] : null
    if (typeof reason === 'string' && failedReason.test(reason))
      return { status: 502, message: `The model ended with ${reason}`, type: failedOutput, code: reason, param: null }
  }
  return null
}
