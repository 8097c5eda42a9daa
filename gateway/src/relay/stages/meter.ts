import { noUsage, refersBeyondBody } from '@tollgate/dialects'
import { modelOf } from '@tollgate/models'

import { meter, type Metered } from '../../metering/meter'
import type { UsageEvidence } from '../../metering/usage-bounds'
import type { StreamEnding } from '../delivery/deliver-stream'
import type { OpenAnswer } from '../attempt/opened-answer'
import type { CallContext } from '../call-context'

/** Returns what is known of a response, whole or streamed. */
export const viewOf = (answer: OpenAnswer) => (answer.kind === 'whole' ? answer.view : answer.tap)

/** Returns what a delivered response used: what its upstream reported, and what of it had to be counted here. */
export async function meterAnswer(context: CallContext, answer: OpenAnswer, ending: StreamEnding): Promise<Metered> {
  const view = viewOf(answer)
  // The upstream broke off before any content: the client got nothing for its money.
  const isReported = view.usage !== null && view.usage.unreported === undefined
  if (ending === 'broken' && view.isEmpty && !isReported) return nothing
  return meter({
    answer: view,
    prompt: context.view.prompt,
    model: context.quote.model,
    evidence: () => evidenceOf(context, answer),
  })
}

const nothing: Metered = { usage: noUsage, estimated: 'all' }

/** Returns what is known of a response so far to judge its reported usage by. */
export function evidenceOf(
  { view: asked, body, quote: { model }, maxTokens }: CallContext,
  answer: OpenAnswer,
): UsageEvidence {
  const { prompt } = asked
  const media = prompt.images + prompt.lowDetailImages + prompt.audios + prompt.files
  const { request, upstreamModel } = answer.prepared
  return {
    requestBytes: Buffer.byteLength(request.body),
    isPromptShown: media === 0 && !refersBeyondBody(body.json),
    promptTokens: asked.promptTokens,
    maxOutputTokens: asked.maxOutputTokens ?? maxTokens,
    choices: asked.choices,
    textBytes: Buffer.byteLength(viewOf(answer).completionText()),
    model: modelOf(upstreamModel) ?? modelOf(model),
  }
}
