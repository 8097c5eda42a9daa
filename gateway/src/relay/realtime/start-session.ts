import { sessionTranslation, type JsonObject, type SessionProtocol } from '@tollgate/dialects'

import type { Catalog } from '../../channels/catalog/catalog'
import { newResponseId } from '../../http/request/request-id'
import { withNextModel } from '../admission/model-choice'
import { chainReasonOf } from '../attempt/next-model'
import { attemptWith, type Served } from '../stages/attempt'
import { isTranscription } from './checked-event'
import type { Conversation } from './conversation'
import type { Hold, SessionContext } from './hold'
import { openSession, type OpenedSession } from './open-session'
import { RealtimeSession } from './session'
import { holdOpening, sessionAs } from './opening-hold'
import { SessionCharges } from './session-charges'

/** What the log keeps of the input of one response. */
const maxLoggedLength = 256 * 1024

/** Returns how many characters of the input are kept for the log. */
export const loggedInputLength = ({ options }: Pick<Catalog, 'options'>): number =>
  options.LogChatContentEnabled && options.LogConsumeEnabled ? maxLoggedLength : 0

interface SessionStart {
  readonly session: SessionContext
  readonly first: Hold
  readonly opened: Served<OpenedSession>
}

/** Resolves with the session at the first channel that serves, of its model or of the next one in its chain. */
export async function openWithChain(
  admitted: SessionContext,
  conversation: Conversation,
  dialectHeaders: Readonly<Record<string, string>>,
): Promise<SessionStart> {
  let failure: { readonly error: unknown } | null = null
  for (let session = admitted; ;) {
    try {
      const held = await holdOpening(session, conversation)
      session = held.session
      return { ...held, opened: await openedAt(held.first, dialectHeaders) }
    } catch (error) {
      failure ??= { error }
      const { call, caller, modelChoice } = session
      const reason = session.departure.isGone ? null : chainReasonOf(error, call.catalog.options)
      const next = reason && withNextModel({ modelChoice, promptTokens: 0 }, reason, { caller, catalog: call.catalog })
      if (!next) throw failure.error
      session = sessionAs(session, { caller, ...next })
    }
  }
}

/** Resolves with the session at the first channel that serves. What is held is released when none does. */
async function openedAt(
  { context }: Hold,
  dialectHeaders: Readonly<Record<string, string>>,
): Promise<Served<OpenedSession>> {
  const opened = await attemptWith(context, (choice) => openSession(context, choice, { dialectHeaders }))
  if (opened.kind === 'served') return opened
  context.deps.ctx.ledger.release(context.reservation)
  throw opened.error
}

/** What a session is started with. */
export interface SessionDeps {
  readonly session: SessionContext
  readonly conversation: Conversation
  readonly first: Hold
  readonly opened: Served<OpenedSession>
  /** The client's. */
  readonly protocol: SessionProtocol
  /** The configuration of the secret; null without one. */
  readonly configuration: JsonObject | null
  /** Called once when the session is over. */
  readonly leave: () => void
}

/** Starts a session at its channel, whose messages wait until the session is told to read them. */
export function startSession(sessionDeps: SessionDeps): RealtimeSession {
  const { session, conversation, first, opened, protocol, configuration, leave } = sessionDeps
  const { deps, call } = session
  const { inFlight } = deps
  const { choice, slot, response } = opened
  const { prepared, socket } = response
  const { description, upstreamModel } = prepared
  const served = { choice, prepared }
  const leaveFlight = inFlight.enter()
  const room = inFlight.memory.open(session.caller.payer.userId)
  const limit = session.caller.caps.length === 0 ? null : first.context.view.maxOutputTokens
  const isTranslated = description.dialect !== call.dialect
  const realtime = new RealtimeSession({
    session,
    served,
    slot,
    conversation,
    configuration,
    limit: isTranscription(call.query) ? null : limit,
    protocol,
    upstream: socket,
    translation: isTranslated
      ? sessionTranslation(description.dialect, {
          model: upstreamModel,
          newId: (prefix) => newResponseId(deps.ctx, prefix),
          maxOutputTokens: limit,
        })
      : null,
    room,
    charges: new SessionCharges({ session, served, conversation, first }),
    over() {
      inFlight.upstreams.remove(realtime)
      inFlight.sessions.remove(realtime)
      room[Symbol.dispose]()
      leaveFlight()
      leave()
    },
  })
  inFlight.upstreams.add(realtime)
  inFlight.sessions.add(realtime)
  return realtime
}
