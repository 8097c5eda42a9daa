import type { Choice } from '../../channels/choice'
import { Attempts, type Answered } from '../attempt/attempts'
import { FinalError } from '../attempt/final-error'
import { openAnswer } from '../attempt/open-answer'
import type { OpenAnswer } from '../attempt/opened-answer'
import type { RouteRequest } from '../attempt/route-request'
import type { CallContext } from '../call-context'
import { reportFailure } from '../errors/report-failure'

/** What a channel opened, or the reason why none did. */
export type Attempted<Opened = OpenAnswer> = Answered<Opened> | { readonly kind: 'failed'; readonly error: unknown }

/** Resolves with the response of the first channel that serves, or with the error that the client is told. */
export const attempt = (context: CallContext): Promise<Attempted> =>
  attemptWith(context, (choice) => openAnswer(context, choice))

/** Does the same with another way to call a channel. */
export async function attemptWith<Opened extends { readonly isProven: boolean }>(
  context: CallContext,
  open: (choice: Choice) => Promise<Opened>,
): Promise<Attempted<Opened>> {
  const { ctx, keyTurns } = context.deps
  const { clock, random, health, metrics } = ctx
  const request = routeRequest(context)
  const deps = { clock, random, health, metrics, keyTurns }
  const failures = new FinalError()
  try {
    const attempts = new Attempts(request, open, deps)
    for (let outcome = await attempts.next(); outcome; outcome = await attempts.next()) {
      const hasLeft = outcome.kind === 'no-slot' && outcome.error.fault === 'abandoned'
      if (!hasLeft) context.records.push(outcome.record)
      if (outcome.kind === 'answered') return outcome
      if (!hasLeft) reportFailure(context, outcome.choice, outcome.error)
      failures.add(outcome)
    }
    return { kind: 'failed', error: failures.of(request) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

const routeRequest = ({ call, caller, departure, view, objects, quote, deps: { ctx } }: CallContext): RouteRequest => ({
  caller,
  catalog: call.catalog,
  model: view.model,
  mode: call.endpoint.mode,
  promptTokens: view.promptTokens,
  departure,
  deadline: call.startedAt + ctx.config.requestTimeoutMs,
  unpriced: quote.offers.unpriced,
  excluded: objects?.excluded,
  elsewhere: objects?.elsewhere,
})
