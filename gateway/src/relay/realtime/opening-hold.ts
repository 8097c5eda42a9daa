import { bodyOf } from '../../channels/calls/parsed-body'
import { chooseModel } from '../admission/model-choice'
import { noteWindows } from '../admission/rate-standings'
import { takeOrGoOn, type RequestedModel } from '../admission/window-fallback'
import type { Conversation } from './conversation'
import { priceNow, type Hold, type SessionContext } from './hold'
import { firstHold } from './session-charges'

/** A session that can be opened: what its first response may cost is held. */
interface HeldSession {
  readonly session: SessionContext
  readonly first: Hold
}

/**
 * Resolves with a session as it is to be opened. A window that is used up may name the model that it is opened with instead.
 * @throws AppError as `holdResponse`.
 */
export function holdOpening(session: SessionContext, conversation: Conversation): Promise<HeldSession> {
  const { call, caller, deps } = session
  const viewOf = ({ model }: RequestedModel) => conversation.nextResponse(model)
  return takeOrGoOn(
    call,
    { caller, model: call.pathContext.model, modelChoice: session.modelChoice },
    {
      quote(requested) {
        const priced = sessionAs(session, requested)
        priceNow(priced, viewOf(requested))
        return priced
      },
      async take(requested, priced) {
        const first = await firstHold(priced, viewOf(requested), call.requestId)
        noteWindows(call, first.context.reservation.payer, deps.ctx)
        return { session: priced, first }
      },
      choose: (named) =>
        chooseModel(
          named,
          { caller, catalog: call.catalog, promptTokens: 0, has: () => false, sessionOf: () => null },
          deps.ctx,
        ),
    },
    deps.ctx.clock,
  )
}

/** Returns a session of another model. */
export const sessionAs = (session: SessionContext, { caller, model, modelChoice }: RequestedModel): SessionContext => ({
  ...session,
  caller,
  modelChoice,
  call: { ...session.call, pathContext: { ...session.call.pathContext, model } },
  body: bodyOf({ model }),
})
