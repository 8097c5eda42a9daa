import { channelStatus } from '@tollgate/contract'
import {
  type ClientEvent,
  isObject,
  type JsonObject,
  requestedLimit,
  type SessionProtocol,
  type SessionReport,
  type SessionTranslation,
  type Translated,
} from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { Catalog } from '../../channels/catalog/catalog'
import type { AttemptCaller, CallOwner, RunningAttempt, StopReason } from '../../channels/calls/running-attempts'
import type { Slot } from '../../channels/slots/slots'
import type { ClientSocket } from '../../http/request/client-socket'
import { newResponseId } from '../../http/request/request-id'
import type { Room } from '../../http/limits/byte-budget'
import type { UpstreamSocket } from '@tollgate/http-client/web-socket'
import type { LiveSession } from '../in-flight/in-flight'
import type { ServedBy } from './charge-use'
import { checkedEvent } from './checked-event'
import { ClientMessages } from '../sessions/client-messages'
import { UpstreamMessages } from './upstream-messages'
import type { Conversation } from './conversation'
import { endingOfFailure, endingOfUpstream, endingOfExpiry, shownError, type Ending } from './ending'
import { closeCodes } from '../sessions/close-codes'
import { closeReason, errorEvent, tooComplex, tooLarge } from './error-event'
import type { SessionContext } from './hold'
import { ResponseLimits } from './response-limits'
import { takeReport } from './take-report'
import type { SessionCharges } from './session-charges'
import { SessionLimits } from '../sessions/session-limits'
import { SessionMemory } from '../sessions/session-memory'

/** What may wait for the upstream, and what may wait here for a charge. */
const maxUnsentBytes = 32 * 1024 * 1024
const maxWaitingBytes = 1024 * 1024
/** What a client may have waiting here: messages whose words are being checked, and what a translation keeps until it can be sent. */
const maxUncheckedBytes = 32 * 1024 * 1024
const maxUntranslatedLength = 8 * 1024 * 1024
/** OpenAI takes no longer ones. */
const maxEventIdLength = 512
/** How long to wait for the usage of a cancelled response. */
const usageTailMs = 5_000
const lastTailMs = 500

export interface SessionOptions {
  readonly session: SessionContext
  readonly served: ServedBy
  readonly slot: Slot
  readonly upstream: UpstreamSocket
  readonly charges: SessionCharges
  readonly conversation: Conversation
  /** The client's. */
  readonly protocol: SessionProtocol
  /** Sent before anything of the client's; null: nothing is. */
  readonly configuration: JsonObject | null
  /** What the caps on each call allow for the first response; null: no cap. */
  readonly limit: number | null
  /** Null where the upstream speaks the client's protocol. */
  readonly translation: SessionTranslation | null
  /** For what waits here. */
  readonly room: Room
  /** Called once when the session is over and charged. */
  readonly over: () => void
}

/** The upstream closed the connection. */
interface UpstreamGone {
  readonly problem: Error | null
}

/**
 * A session between a client and an upstream. Messages go on as they came, in order; those of the upstream wait while a response is
 * charged, so that a client never learns of one that is not paid.
 */
export class RealtimeSession implements RunningAttempt, LiveSession {
  index: number | null = null
  dueAt: number
  readonly owner: CallOwner
  readonly caller: AttemptCaller
  #client: ClientSocket | null = null
  #wasOpened = false
  #isUpstreamGone = false
  #isOver = false
  #cancelTail = () => {}
  /** Set when it ends as soon as no response runs. */
  #ending: Ending | null = null
  readonly #fromClient = new ClientMessages((text) => this.#read(text))
  readonly #fromUpstream = new UpstreamMessages<UpstreamGone>({
    mayBegin: () => this.#wasOpened,
    isOver: () => this.#isOver,
    message: (text) => this.#receive(text),
    onEnd: (gone) => this.#upstreamEnded(gone),
    onEmpty: () => this.#rest(),
  })
  readonly #memory: SessionMemory
  /** Ends as soon as what arrived is charged. */
  #isLeaving = false
  #isClientBehind = false
  readonly #limits: SessionLimits
  readonly #responseLimits: ResponseLimits

  constructor(private readonly options: SessionOptions) {
    const { caller, call } = options.session
    this.owner = caller.payer
    this.caller = { ...caller.payer, sendAway: () => this.stop('revoked') }
    this.#limits = new SessionLimits(call.catalog, this.#now())
    this.#responseLimits = new ResponseLimits({ ...options, isTranslated: options.translation !== null })
    this.#memory = new SessionMemory(options.room)
    this.dueAt = this.#limits.nextAt(false)
  }

  clientOpened(client: ClientSocket): void {
    this.#client = client
    this.#wasOpened = true
    const { translation, configuration } = this.options
    this.#sendTranslated(translation?.opening?.())
    const first = this.#responseLimits.opening(configuration, translation?.opening !== undefined)
    if (first) this.#toUpstream(JSON.stringify(first))
    this.#fromUpstream.handle()
  }

  fromClient(text: string | null): void {
    this.#limits.touch(this.#now())
    if (this.#client === null || this.#ending !== null) return
    if (text === null) return this.#close({ code: closeCodes.unsupported, error: new AppError('realtime.binary') })
    this.#fromClient.take(text)
    if (this.#fromClient.bytes > maxUncheckedBytes) this.#overload()
    else if (this.#fromClient.bytes > 0) this.#countMemory()
  }

  clientDrained(): void {
    this.#isClientBehind = false
    this.#readOn()
  }

  clientClosed(): void {
    if (this.#client === null && this.#wasOpened) return
    this.#client = null
    this.#wasOpened = true
    this.#fromClient.forget()
    this.#leaveUpstream(usageTailMs)
  }

  fromUpstream(text: string): void {
    if (this.#isOver) return
    this.#limits.touch(this.#now())
    const { translation, upstream } = this.options
    if (translation) this.#sendTranslated(translation.fromUpstream(text))
    else this.#fromUpstream.add(text)
    if (this.#fromUpstream.bytes > maxWaitingBytes) upstream.pause()
    this.#fromUpstream.handle()
  }

  upstreamClosed(problem: Error | null): void {
    if (this.#isOver) return
    this.#fromUpstream.end({ problem })
    this.#fromUpstream.handle()
  }

  check(now: number): void {
    const limit = this.#limits.check(now)
    if (limit === 'overdue') this.#close(endingOfExpiry())
    else if (limit === 'idle') this.#close({ code: closeCodes.away, error: new AppError('realtime.idle') })
    else if (limit === 'expired') this.#endWhenQuiet(endingOfExpiry())
    this.dueAt = this.#limits.nextAt(this.#ending !== null)
  }

  stop(reason: StopReason): void {
    const isShutdown = reason === 'shutdown'
    const error = new AppError(isShutdown ? 'gateway.draining' : 'caller.revoked')
    this.#close(
      { code: isShutdown ? closeCodes.away : closeCodes.refused, error },
      isShutdown ? lastTailMs : usageTailMs,
    )
  }

  drain(): void {
    this.#endWhenQuiet({ code: closeCodes.away, error: new AppError('gateway.draining') })
  }

  follow(catalog: Catalog): void {
    const { served, session } = this.options
    const { channel, key } = served.choice
    const { upstreams } = session.deps.inFlight
    this.#limits.follow(catalog)
    this.check(this.#now())
    upstreams.remove(this)
    upstreams.add(this)
    const present = catalog.channels.get(channel.id)
    const isServing =
      present?.status === channelStatus.enabled &&
      present.keys.some(({ fingerprint, isEnabled }) => isEnabled && fingerprint === key.fingerprint)
    if (!isServing) this.#endWhenQuiet({ code: closeCodes.away, error: new AppError('realtime.channel') })
  }

  #now(): number {
    return this.options.session.deps.ctx.clock.monotonic()
  }

  /** Sends a translated message, in both directions. */
  #sendTranslated(sendTranslated: Translated | undefined): void {
    if (!sendTranslated) return
    for (const text of sendTranslated.toUpstream) this.options.upstream.send(text)
    for (const text of sendTranslated.toClient) this.#fromUpstream.add(text)
  }

  #toUpstream(text: string): void {
    const { translation, upstream } = this.options
    if (!translation) return upstream.send(text)
    const event: unknown = JSON.parse(text)
    if (isObject(event)) this.#sendTranslated(translation.fromClient(event))
    this.#fromUpstream.handle()
  }

  /** Sends a message of the client on, or refuses it. Returns a promise while its words are checked. */
  #read(text: string): Promise<void> | null {
    const read = this.options.protocol.read(text)
    if (read.kind === 'audio') {
      this.options.conversation.addAudio(read.audioLength)
      this.#pass(text)
    } else if (read.kind === 'malformed') this.#refuse(new AppError('realtime.malformed'), null)
    else if (read.kind === 'ambiguous') this.#refuse(read.error, null)
    else if (read.kind === 'too-complex') this.#refuse(tooComplex(), null)
    else if (read.kind === 'too-large') this.#refuse(tooLarge(), null)
    else return this.#check(text, read)
    return null
  }

  async #check(sent: string, { type, event: own }: Extract<ClientEvent, { kind: 'event' }>): Promise<void> {
    const { session, conversation, served } = this.options
    try {
      const event = this.#responseLimits.limitEvent(type, own)
      const text = event === own ? sent : JSON.stringify(event)
      const checked = await checkedEvent(text, { type, event }, session, served.prepared.upstreamModel)
      if (this.#client === null || this.#ending !== null) return
      conversation.addClientEvent(event)
      if (type !== 'response.create') return this.#pass(checked)
      const held = await this.#holdForResponse(checked, event)
      if (this.#client !== null && this.#ending === null) this.#pass(held)
    } catch (error) {
      const { event_id: id } = own
      this.#refuse(error, typeof id === 'string' ? id : null)
    }
  }

  /**
   * Resolves with a request for a response once it can be paid. It gets an id, unless the client gave it one, by which the upstream names it
   * where it refuses it.
   */
  async #holdForResponse(text: string, event: JsonObject): Promise<string> {
    const { session, charges, translation } = this.options
    const { event_id: own } = event
    const isUsable = typeof own === 'string' && own !== '' && own.length <= maxEventIdLength
    const id = isUsable ? own : newResponseId(session.deps.ctx, 'event_')
    // Upstreams with other protocols know the limit of the session alone.
    await charges.request(id, translation ? undefined : requestedLimit(event))
    return own === undefined ? text.replace('{', `{"event_id":"${id}",`) : text
  }

  #pass(text: string): void {
    this.#toUpstream(text)
    const { upstream, translation } = this.options
    const isBehind = upstream.bufferedBytes > maxUnsentBytes
    if (isBehind || (translation?.waitingLength ?? 0) > maxUntranslatedLength) this.#overload()
    else this.#countMemory()
  }

  /** Ends the session where what waits in it is more than the gateway, or its user, may hold. */
  #countMemory(): void {
    const { upstream, translation } = this.options
    const waiting = this.#fromClient.bytes + this.#fromUpstream.bytes + (translation?.waitingLength ?? 0)
    if (!this.#memory.mayHold(upstream.bufferedBytes + waiting)) this.#overload()
  }

  #overload(): void {
    this.#close({ code: closeCodes.overload, error: new AppError('realtime.overload') })
  }

  /** Where the protocol has no event for it, the session ends with a message that is refused. */
  #refuse(error: unknown, eventId: string | null): void {
    if (!this.options.protocol.hasErrorEvents) return this.#close({ code: closeCodes.invalid, error })
    this.#toClient(errorEvent(error, this.options.session.call, eventId))
  }

  #toClient(text: string): void {
    if (this.#client === null || this.#client.send(text)) return
    this.#isClientBehind = true
    this.options.upstream.pause()
  }

  #readOn(): void {
    if (!this.#isClientBehind && this.#fromUpstream.bytes <= maxWaitingBytes) this.options.upstream.resume()
  }

  /** Called when no message of the upstream waits. */
  #rest(): void {
    if (this.#isLeaving && !this.options.charges.isBusy) return this.#settle('abandoned')
    if (this.#ending !== null) this.#endWhenQuiet(this.#ending)
    this.#countMemory()
    this.#readOn()
  }

  #receive(text: string): Promise<void> | null {
    const reports = this.options.protocol.reports(text)
    if (reports.length > 0) return this.#handle(text, reports)
    this.#toClient(text)
    return null
  }

  async #handle(text: string, reports: readonly SessionReport[]): Promise<void> {
    try {
      for (const report of reports) {
        const taken = takeReport(report, this.options)
        if (taken) await taken
      }
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#toClient(reports.some(({ kind }) => kind === 'error') ? shownError(text, this.options) : text)
    if (reports.some(({ kind }) => kind === 'response-done')) await this.#afterResponse()
    const { shortage } = this.options.charges
    if (shortage) this.#endWhenQuiet({ code: closeCodes.refused, error: shortage })
  }

  async #afterResponse(): Promise<void> {
    const { charges } = this.options
    if (charges.isRunning || this.#client === null) return
    if (this.#ending !== null) return this.#close(this.#ending)
    try {
      const lowered = this.#responseLimits.afterResponse()
      if (lowered) this.#toUpstream(JSON.stringify(lowered))
      await charges.renew()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Ends the session when the next response cannot be held, or the last one could not be charged. */
  #fail(error: unknown): void {
    this.#close(endingOfFailure(error, this.options.session))
  }

  #upstreamEnded({ problem }: UpstreamGone): void {
    this.#isUpstreamGone = true
    this.#close(endingOfUpstream(problem, this.options))
  }

  #endWhenQuiet(ending: Ending): void {
    this.#ending ??= ending
    if (!this.options.charges.isBusy && !this.#fromUpstream.isHandling) this.#close(this.#ending)
  }

  /** Sends the client the reason, closes its connection, and waits for the usage of a response in progress. */
  #close({ code, error }: Ending, tailMs = usageTailMs): void {
    const client = this.#client
    if (client !== null) {
      const { protocol, session } = this.options
      if (error && protocol.hasErrorEvents) client.send(errorEvent(error, session.call))
      this.#client = null
      this.#fromClient.forget()
      client.close(code, closeReason(error, session.call, protocol))
    }
    this.#leaveUpstream(tailMs)
  }

  #leaveUpstream(tailMs: number): void {
    if (this.#isOver) return
    const { upstream, charges } = this.options
    if (this.#isUpstreamGone || (!charges.isBusy && !this.#fromUpstream.isHandling)) return this.#settle('abandoned')
    this.#isLeaving = true
    upstream.resume()
    const { cancel } = this.options.protocol
    if (charges.isRunning && cancel !== null) this.#toUpstream(cancel)
    const { timers } = this.options.session.deps.ctx
    this.#cancelTail = timers.after(tailMs, () => this.#settle('abandoned'))
  }

  #settle(how: 'abandoned' | 'broken'): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancelTail()
    const { upstream, charges, slot, session, over } = this.options
    upstream.close()
    slot.release()
    charges
      .end(this.#isUpstreamGone ? 'broken' : how)
      .catch((error: unknown) =>
        session.deps.ctx.log.error({ error, requestId: session.call.requestId }, 'a session could not be charged'),
      )
      .finally(over)
  }
}
