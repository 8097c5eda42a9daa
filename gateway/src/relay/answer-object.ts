import { dialects, errorStatus, isObject, parseAnswer, type AnswerView, type JsonObject } from '@tollgate/dialects'
import type { ModeDescription } from '@tollgate/providers'

import { UpstreamError } from './upstream-error'

/** An answer that is none. */
export const malformed = (message: string) => new UpstreamError({ fault: 'malformed', status: 502, message })

const decoder = new TextDecoder()

/**
 * The object an upstream answered with.
 * @throws UpstreamError `malformed`.
 */
export function answerObject(bytes: Uint8Array): JsonObject {
  let value: unknown
  try {
    value = parseAnswer(decoder.decode(bytes))
  } catch {
    throw malformed('The answer is no JSON')
  }
  if (!isObject(value)) throw malformed('The answer is no JSON object')
  return value
}

/**
 * What a good answer holds. An error that came with status 200 is treated as if it had come with a 5xx, unless the vendor's
 * description knows better: another channel may serve.
 * @throws UpstreamError `refused`.
 */
export function readAnswerObject(answer: JsonObject, description: ModeDescription): AnswerView {
  const found = description.errorInAnswer?.(answer)
  if (found) throw new UpstreamError({ fault: 'refused', ...found })
  const view = dialects[description.dialect].readAnswer(answer, { omitsReasoning: description.usageOmitsReasoning })
  if (view.error) throw new UpstreamError({ ...view.error, fault: 'refused', status: errorStatus(view.error) ?? 502 })
  return view
}
