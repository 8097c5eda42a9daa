import { LiveProtocol, isObject, readLiveMessage, withLiveModel, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import {
  switchedProtocols,
  type ClientSocket,
  type SocketHandler,
  type Upgrade,
} from '../../http/request/client-socket'
import { newResponseId } from '../../http/request/request-id'
import { admitCaller } from '../stages/admit'
import { checkRates, countSuccess, type RateRules } from '../admission/rate-limits'
import type { Caller, IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { callHeaders } from '../delivery/response-headers'
import { Departure } from '../departure'
import { errorTypeOf, failureOf, isExpected } from '../errors/failure'
import { keyCaller } from '../stages/authenticate'
import { admittedSession, liveEndpoint } from './admitted-session'
import { checkConfiguration } from './checked-event'
import { Conversation } from './conversation'
import { closeCodes } from '../sessions/close-codes'
import { closeReason } from './error-event'
import { ClientMessages } from '../sessions/client-messages'
import { openSessionsOf } from '../sessions/open-sessions'
import type { RealtimeSession } from './session'
import { SessionMemory } from '../sessions/session-memory'
import { loggedInputLength, openWithChain, startSession } from './start-session'

/** How long a client may take for its first message. */
const setupMs = 30_000
/** What may wait for the channel. */
const maxWaitingBytes = 8 * 1024 * 1024

/**
 * Opens a session of Google's clients: they name the model in their first message, so the client's connection comes first.
 * https://ai.google.dev/api/live
 * @throws AppError for a caller who may not open one.
 */
export async function openLive(call: IncomingCall, upgrade: Upgrade | undefined, deps: RelayDeps): Promise<Response> {
  const { request } = call
  if (!upgrade || !/\bwebsocket\b/i.test(request.headers.get('upgrade') ?? '')) throw new AppError('realtime.upgrade')
  const caller = await keyCaller(call, deps)
  admitCaller(caller, call, deps.ctx)
  const rates = await checkRates(call, caller, deps)
  const leave = await openSessionsOf(deps.ctx).enter(call.requestId, caller, 'realtime.sessions')
  const opening = new LiveOpening({ call, caller, rates, deps, leave })
  if (!upgrade(request, opening, callHeaders(call))) {
    opening.onClose()
    throw new AppError('realtime.upgrade')
  }
  return switchedProtocols()
}

interface LiveOptions {
  readonly call: IncomingCall
  readonly caller: Caller
  readonly rates: RateRules
  readonly deps: RelayDeps
  /** Called when the session is over, or cannot begin. */
  readonly leave: () => void
}

/** What the first message of a client asks for. */
interface Setup {
  readonly model: string
  /** In OpenAI's terms. */
  readonly configuration: JsonObject
}

/** A client's connection that waits for its first message, then for a channel, and from then on is that of the session. */
class LiveOpening implements SocketHandler {
  #client: ClientSocket | null = null
  #session: RealtimeSession | null = null
  #isOver = false
  /** Those behind the first wait until it has led to a session. */
  readonly #messages = new ClientMessages((text) => this.#read(text))
  #setupLength = 0
  #cancelTimeout = () => {}
  readonly #departure: Departure
  readonly #memory: SessionMemory
  readonly #resources = new DisposableStack()

  constructor(private readonly options: LiveOptions) {
    const { caller, deps, leave } = options
    this.#departure = Departure.withoutConnection(caller.payer)
    this.#memory = new SessionMemory(this.#resources.use(deps.inFlight.memory.open(caller.payer.userId)))
    this.#resources.defer(deps.inFlight.enter())
    this.#resources.defer(() => {
      if (this.#session === null) leave()
    })
  }

  onOpen(client: ClientSocket): void {
    this.#client = client
    const { timers } = this.options.deps.ctx
    this.#cancelTimeout = timers.after(setupMs, () => this.#refuse(new AppError('realtime.setup')))
  }

  message(text: string | null): void {
    if (this.#isOver) return
    if (text === null)
      return this.#session ? this.#session.fromClient(text) : this.#refuse(new AppError('realtime.binary'))
    this.#messages.take(text)
    const held = this.#messages.bytes + this.#setupLength
    if (held > maxWaitingBytes || (this.#session === null && !this.#memory.mayHold(held)))
      this.#refuse(new AppError('realtime.overload'))
  }

  #read(text: string): Promise<void> | null {
    if (this.#session) {
      this.#session.fromClient(text)
      return null
    }
    this.#setupLength = text.length
    this.#cancelTimeout()
    return this.#begin(text).catch((error: unknown) => this.#refuse(error))
  }

  onDrain(): void {
    this.#session?.clientDrained()
  }

  onClose(): void {
    if (this.#session) return this.#session.clientClosed()
    this.#departure.leave()
    this.#end()
  }

  async #begin(text: string): Promise<void> {
    const setup = setupIn(text)
    const { call, caller, rates, deps, leave } = this.options
    const admitted = {
      ...admittedSession(call, caller, { model: setup.model, endpoint: liveEndpoint }, deps),
      departure: this.#departure,
    }
    await checkConfiguration(setup.configuration, admitted)
    const conversation = new Conversation(loggedInputLength(call.catalog))
    conversation.configure(setup.configuration)
    const { session, first, opened } = await openWithChain(admitted, conversation, {})
    const { upstreamModel } = opened.response.prepared
    const limit = caller.caps.length === 0 ? null : first.context.view.maxOutputTokens
    const protocol = new LiveProtocol({ model: upstreamModel, newId: (prefix) => newResponseId(deps.ctx, prefix) })
    const realtime = startSession({ session, conversation, first, opened, protocol, configuration: null, leave })
    this.#session = realtime
    const client = this.#client
    if (client === null) realtime.clientClosed()
    else {
      realtime.clientOpened(client)
      realtime.fromClient(withLiveModel(text, upstreamModel, limit))
    }
    this.#setupLength = 0
    opened.response.inbox.readBy(realtime)
    this.#resources.dispose()
    await countSuccess(deps.limiter, rates)
  }

  /** Closes the client's connection, and tells it why. */
  #refuse(error: unknown): void {
    const { call, deps } = this.options
    if (this.#isOver) return
    if (!isExpected(error)) deps.ctx.log.error({ error, requestId: call.requestId }, 'a session failed unexpectedly')
    deps.refusals.note(error, call)
    deps.ctx.metrics.countFailure(errorTypeOf(error))
    this.#client?.close(closeCodeOf(failureOf(error, call).status), closeReason(error, call, { hasErrorEvents: false }))
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#client = null
    this.#messages.forget()
    this.#cancelTimeout()
    this.#departure.leave()
    if (this.#session === null) this.#resources.dispose()
  }
}

function closeCodeOf(status: number): number {
  if (status >= 500) return closeCodes.broken
  return status === 400 ? closeCodes.invalid : closeCodes.refused
}

/** @throws AppError `realtime.setup`, `realtime.malformed`; DialectError. */
function setupIn(text: string): Setup {
  const read = readLiveMessage(text)
  if (read.kind === 'ambiguous') throw read.error
  const { model, session: configuration } = read.kind === 'event' ? read.event : {}
  if (typeof model !== 'string' || model === '' || !isObject(configuration)) throw new AppError('realtime.setup')
  return { model, configuration }
}
