import type { OptionValues } from '@tollgate/contract'
import type { AnswerView } from '@tollgate/dialects'

import { createMalformedError } from '../../channels/calls/parse-response-object'

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
