import { AppError } from '../../platform/app-error'
import type { AttemptCaller, CallOwner, RunningAttempt, StopReason } from '../../channels/calls/running-attempts'
import type { Catalog } from '../../channels/catalog/catalog'
import type { ClientSocket, SocketHandler } from '../../http/request/client-socket'
import type { BodySource, Caller, IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { failureOf } from '../errors/failure'
import type { LiveSession } from '../in-flight/in-flight'
import { ClientMessages } from '../sessions/client-messages'
import { closeCodes } from '../sessions/close-codes'
import { SessionLimits } from '../sessions/session-limits'
import { SessionMemory } from '../sessions/session-memory'
import { failureFrame, refusalFrame, serverEvents } from './frames'
import { RecentResponses } from './recent-responses'
import { isAcknowledgement, SocketTurn, turnRequest } from './socket-turn'

export interface ResponseSocketOptions {
  /** The request by which the socket was opened. */
  readonly call: IncomingCall
  readonly caller: Caller
  readonly deps: RelayDeps
  /** Responds to a turn as to an HTTP call. */
  readonly respond: (request: Request, turn: BodySource) => Promise<Response>
  /** Called once when the socket is over. */
  readonly leave: () => void
}

/** Messages that may wait for the turn that runs, and their length. */
const maxWaiting = 32
const maxWaitingLength = 32 * 1024 * 1024
/** https://www.openresponses.org/specification */
const maxMinutes = 60

/** How a socket ends: the code of its close, and the error that the client gets; null: it has it. */
interface Ending {
  readonly code: number
  readonly error: AppError | null
}

/** A client that has not taken what was sent. */
interface CatchingUp extends PromiseWithResolvers<void> {
  /** Monotonic milliseconds. */
  readonly since: number
}

/**
 * A WebSocket on which a client asks for one response after another. Each is a call of its own, which goes the way of an HTTP call; its
 * events are the frames. The next event is asked for when the client has taken the last one.
 */
export class ResponseSocket implements SocketHandler, LiveSession, RunningAttempt {
  index: number | null = null
  dueAt: number
  readonly owner: CallOwner
  readonly caller: AttemptCaller
  #client: ClientSocket | null = null
  #isOver = false
  /** Set when it ends as soon as no turn runs. */
  #ending: Ending | null = null
  /** Tells the turn that runs that its client has left; null: none runs. */
  #running: AbortController | null = null
  /** Set while the client is behind. */
  #catchingUp: CatchingUp | null = null
  readonly #messages = new ClientMessages((text) => this.#runTurn(text))
  readonly #recent = new RecentResponses()
  readonly #limits: SessionLimits
  readonly #memory: SessionMemory
  readonly #resources = new DisposableStack()

  constructor(private readonly options: ResponseSocketOptions) {
    const { call, caller, deps, leave } = options
    const { inFlight } = deps
    this.owner = caller.payer
    this.caller = { ...caller.payer, sendAway: () => this.stop('revoked') }
    this.#limits = new SessionLimits(call.catalog, this.#now(), maxMinutes)
    this.dueAt = this.#limits.nextAt(false)
    this.#memory = new SessionMemory(this.#resources.use(inFlight.memory.open(caller.payer.userId)))
    this.#resources.defer(leave)
    this.#resources.defer(inFlight.enter())
    inFlight.upstreams.add(this)
    inFlight.sessions.add(this)
    this.#resources.defer(() => {
      inFlight.upstreams.remove(this)
      inFlight.sessions.remove(this)
    })
  }

  onOpen(client: ClientSocket): void {
    this.#client = client
    // It may have been told to end before it was open.
    if (this.#ending) this.#close(this.#ending)
  }

  message(text: string | null): void {
    if (this.#client === null || this.#ending !== null) return
    this.#limits.touch(this.#now())
    if (text === null) return this.#close({ code: closeCodes.unsupported, error: new AppError('socket.binary') })
    this.#messages.take(text)
    const isTooMuch = this.#messages.count > maxWaiting || this.#messages.bytes > maxWaitingLength
    if (isTooMuch || !this.#makeRoom()) this.#overload()
  }

  onDrain(): void {
    this.#catchingUp?.resolve()
    this.#catchingUp = null
  }

  onClose(): void {
    this.#finish()
  }

  check(now: number): void {
    if (this.#running) this.#limits.touch(now)
    const limit = this.#limits.check(now)
    const stuckAt = this.#catchingUp ? this.#limits.idleAfter(this.#catchingUp.since) : Infinity
    if (limit === 'idle' || now >= stuckAt) this.#end({ code: closeCodes.away, error: new AppError('socket.idle') })
    else if (limit === 'overdue') this.#end({ code: closeCodes.away, error: new AppError('socket.expired') })
    else if (limit === 'expired') this.#endWhenQuiet({ code: closeCodes.away, error: new AppError('socket.expired') })
    const dueAt = limit === 'overdue' ? this.#limits.idleAfter(now) : this.#limits.nextAt(this.#ending !== null)
    this.dueAt = Math.min(dueAt, stuckAt)
  }

  stop(reason: StopReason): void {
    if (reason === 'shutdown') this.#end({ code: closeCodes.away, error: new AppError('gateway.draining') })
    else this.#end({ code: closeCodes.refused, error: new AppError('caller.revoked') })
  }

  drain(): void {
    this.#endWhenQuiet({ code: closeCodes.away, error: new AppError('gateway.draining') })
  }

  follow(catalog: Catalog): void {
    const { upstreams } = this.options.deps.inFlight
    this.#limits.follow(catalog)
    this.check(this.#now())
    if (this.#isOver) return
    upstreams.remove(this)
    upstreams.add(this)
  }

  #now(): number {
    return this.options.deps.ctx.clock.monotonic()
  }

  /** Runs a turn to its end; it never rejects. */
  async #runTurn(text: string): Promise<void> {
    if (this.#client === null || this.#ending !== null || isAcknowledgement(text)) return
    const { call, deps } = this.options
    const turn = new SocketTurn(text, this.#recent)
    this.#running = new AbortController()
    try {
      const response = await this.options.respond(turnRequest(call.request, this.#running.signal), turn)
      if (response.status >= 400) await this.#refuse(response, turn)
      else await this.#give(response, turn)
    } catch (error) {
      deps.ctx.log.debug({ error, requestId: call.requestId }, 'the stream of a turn broke off')
      await this.#send(failureFrame(failureOf(new AppError('upstream.broken', { cause: error }), call)))
    }
    turn.end()
    this.#running = null
    this.#limits.touch(this.#now())
    this.#makeRoom()
    if (this.#ending) this.#close(this.#ending)
  }

  async #give(response: Response, turn: SocketTurn): Promise<void> {
    if (!response.body) return
    turn.begin(response)
    for await (const events of serverEvents(response.body))
      for (const event of events) {
        await this.#send(turn.frameOf(event))
        if (this.#isOver) return
      }
  }

  async #refuse(response: Response, turn: SocketTurn): Promise<void> {
    await this.#send(await refusalFrame(response, turn.streamId))
    // Whatever comes next would be refused likewise.
    if (response.status === 401) this.#ending ??= { code: closeCodes.refused, error: null }
  }

  /** Resolves when the client has taken the frame, or is gone. */
  async #send(frame: string): Promise<void> {
    const client = this.#client
    if (client === null || client.send(frame)) return
    this.#catchingUp ??= { ...Promise.withResolvers(), since: this.#now() }
    await this.#catchingUp.promise
  }

  /** Counts what is held. Earlier responses are forgotten before messages are refused. */
  #makeRoom(): boolean {
    if (this.#hasRoom()) return true
    this.#recent.clear()
    return this.#hasRoom()
  }

  #hasRoom(): boolean {
    return this.#memory.mayHold(this.#messages.bytes + this.#recent.bytes)
  }

  #overload(): void {
    this.#close({ code: closeCodes.overload, error: new AppError('socket.waiting', { params: { limit: maxWaiting } }) })
  }

  /** Ends it when no turn runs, or at once where the client takes nothing: it would never end. */
  #end(ending: Ending): void {
    if (this.#catchingUp) this.#close(ending)
    else this.#endWhenQuiet(ending)
  }

  #endWhenQuiet(ending: Ending): void {
    this.#ending ??= ending
    if (!this.#running) this.#close(this.#ending)
  }

  /** Tells the client why and closes its connection. One that is not open yet is closed then. */
  #close({ code, error }: Ending): void {
    const client = this.#client
    if (client === null) return
    if (error) client.send(failureFrame(failureOf(error, this.options.call)))
    client.close(code, error?.code ?? '')
    this.#finish()
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#client = null
    this.#messages.forget()
    this.#recent.clear()
    this.#running?.abort()
    this.onDrain()
    this.#resources.dispose()
  }
}
