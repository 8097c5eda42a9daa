import { type ReportedUsage, type ResponseDone } from '@tollgate/dialects'
import { modelOf } from '@tollgate/models'

import { AppError } from '../../platform/app-error'
import { lruCache } from '../../platform/lru-cache'
import { meter, type Metered } from '../../billing/metering/meter'
import { windowsOf } from '../../channels/catalog/channel-windows'
import { attemptRange } from '../attempt/attempt-windows'
import type { CallView } from '../admission/call-view'
import type { CallContext } from '../call-context'
import { servingCost, servingPrice } from '../pricing/call-price'
import { chargeUse, type ServedBy, type Use } from './charge-use'
import type { Conversation, Output } from './conversation'
import { isTranscription } from './checked-event'
import {
  emptyOutput,
  type Hold,
  holdResponse,
  holdTranscripts,
  type Late,
  raiseHold,
  type Requested,
  type Running,
  type SessionContext,
} from './hold'
import { TranscriptCharges, type TranscriptChargesOptions } from './transcript-charges'

/** A session has one response in progress, and a few beside the conversation. An upstream with more does not speak the protocol. */
const maxRunning = 16
/** Characters of a response: what is longer than any model says is not kept, nor charged by an estimate. */
const maxTextLength = 256 * 1024
/** Ids of charged responses. */
const maxCharged = 1000

/** A response that has not begun by then will not: the upstream refused it without naming the event. */
const requestedMs = 30_000

/** What is known of a response besides what it used. */
type Reported = Pick<Use, 'upstreamId' | 'ending'>

export interface SessionChargesOptions {
  readonly session: SessionContext
  readonly served: ServedBy
  readonly conversation: Conversation
  /** Held for the first response before the session was opened. */
  readonly first: Hold
}

/**
 * What a session holds and pays. Quota for one response is held at all times, since an upstream that hears the end of speech responds by
 * itself; when it is used up by a response more is held for the next one. A response that the client requests takes that quota, and more is
 * held for each further one before its request is sent on. Each response is charged once, in its own row, before the client learns that it
 * is done, and so is each transcription.
 */
export class SessionCharges {
  #spare: Hold | null
  #requested: Requested[] = []
  /** Its hold is that of the next response, which is charged with it. */
  #late: Late | null = null
  /** Resolves when what is being held for the next response is held, or cannot be. */
  #renewing = Promise.resolve()
  #count = 1
  readonly transcripts: TranscriptCharges
  readonly #running = new Map<string, Running>()
  readonly #charged = lruCache<string, true>(maxCharged)
  /** Holds and charges that are being made. */
  readonly #pending = new Set<Promise<void>>()
  readonly #session: SessionContext
  readonly #served: ServedBy
  readonly #conversation: Conversation
  /** The context of the latest hold. */
  #latest: CallContext

  constructor({ session, served, conversation, first }: SessionChargesOptions) {
    this.#session = session
    this.#served = served
    this.#conversation = conversation
    this.#spare = first
    this.#latest = first.context
    this.transcripts = new TranscriptCharges({
      session,
      served,
      conversation,
      latest: () => this.#latest,
      nextId: () => this.#nextId(),
      track: (charge) => this.#track(charge),
      holds: this.#holdsOf(),
    })
  }

  #holdsOf(): TranscriptChargesOptions['holds'] {
    const isInUse = () => this.isRunning || this.#late !== null || this.#requested.length > 0
    return {
      get isInUse() {
        return isInUse()
      },
      giveBack: () => {
        const spare = this.#late ? null : this.#takeSpare()
        if (spare) this.#release(spare)
        return spare !== null
      },
      renew: async () => {
        if (!isInUse() && !this.#spare) await this.#renewSpare()
      },
    }
  }

  /** Set when a charge exceeded the balance: the session ends. */
  get shortage(): AppError | null {
    return this.transcripts.shortage
  }

  /** Whether a response is in progress. */
  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /** Whether a response or a transcript is in progress. */
  get isBusy(): boolean {
    return this.isRunning || this.transcripts.isRunning
  }

  /**
   * Holds quota for a response before the client's request for it is sent on. `limit` is that of its tokens; null: it has none.
   * @throws AppError `realtime.responses` where as many are in progress as a session may have; and as `began`.
   */
  request(eventId: string, limit: number | null | undefined): Promise<void> {
    return this.#track(this.#request(eventId, limit))
  }

  async #request(eventId: string, limit: number | null | undefined): Promise<void> {
    await this.#renewing
    const requestedAt = this.#now()
    this.#forget(({ requestedAt: before }) => requestedAt - before >= requestedMs)
    if (this.#running.size + this.#requested.length >= maxRunning)
      throw new AppError('realtime.responses', { params: { limit: maxRunning } })
    const view = this.#conversation.nextResponse(this.#session.call.pathContext.model, limit)
    const spare = this.#takeSpare()
    const hold = spare ? await this.#raiseHold(spare, view) : await this.#holdResponse(view)
    this.#latest = hold.context
    this.#requested.push({ eventId, hold, requestedAt })
  }

  /** Gives back what is held for a response that the upstream refused. */
  releaseRefused(eventId: string | null): void {
    if (eventId !== null) this.#forget((requested) => requested.eventId === eventId)
  }

  /** What is held for responses that do not begin is that of the next one, where nothing else is. */
  #forget(isOver: (requested: Requested) => boolean): void {
    const over = this.#requested.filter(isOver)
    if (over.length === 0) return
    this.#requested = this.#requested.filter((requested) => !over.includes(requested))
    for (const { hold } of over) {
      if (this.isRunning) this.#release(hold)
      else this.#keepSpare(hold)
    }
  }

  #keepSpare(hold: Hold): void {
    if (this.#spare === null) this.#spare = hold
    else this.#release(hold)
  }

  #takeSpare(): Hold | null {
    const spare = this.#spare
    this.#spare = null
    return spare
  }

  /** A hold that cannot be raised stays that of the next response. */
  async #raiseHold(hold: Hold, view: CallView): Promise<Hold> {
    try {
      return await raiseHold(this.#session, hold, view)
    } catch (error) {
      this.#keepSpare(hold)
      throw error
    }
  }

  /**
   * Begins a response.
   * @throws AppError when nothing can be held for it: `quota.user`, `quota.token`, `ledger.unavailable`, or that the model is not sold.
   */
  began(responseId: string): Promise<void> {
    return this.#track(this.#begin(responseId))
  }

  async #begin(responseId: string): Promise<void> {
    if (this.#running.has(responseId) || this.#isCharged(responseId)) return
    if (this.#running.size >= maxRunning) throw new AppError('upstream.malformed')
    const hold = await this.#takeHold()
    this.#latest = hold.context
    const late = this.#late
    this.#late = null
    const { startedAt, firstOutputMs, text, audioLength } = late ?? { ...emptyOutput, startedAt: this.#now() }
    const running = { hold, startedAt, firstOutputMs, text, audioLength, hasLate: late !== null }
    this.#running.set(responseId, running)
  }

  /** Responses begin in the order in which they were requested. */
  async #takeHold(): Promise<Hold> {
    const requested = this.#requested.shift()
    if (requested) return requested.hold
    const view = this.#conversation.nextResponse(this.#session.call.pathContext.model)
    const spare = this.#takeSpare()
    return spare ? await this.#raiseHold(spare, view) : await this.#holdResponse(view)
  }

  async #holdResponse(view: CallView): Promise<Hold> {
    return await this.#drawWindows(await holdResponse(this.#session, view, this.#nextId()))
  }

  /** The session stays where it is: what it holds is drawn from the windows of its channel, also where they are full. */
  async #drawWindows(hold: Hold): Promise<Hold> {
    const { call, reservation } = hold.context
    const { choice } = this.#served
    const windows = windowsOf(call.catalog, choice)
    if (windows)
      await this.#session.deps.ctx.ledger.draw(reservation, windows, attemptRange(hold.context, choice, windows))
    return hold
  }

  /** Adds output of a response in progress, in case its usage never arrives. */
  addOutput({ text, audioLength }: Output): void {
    const running = [...this.#running.values()].at(-1)
    if (!running) return
    running.firstOutputMs ??= Math.round(this.#now() - running.startedAt)
    if (running.text.length < maxTextLength) running.text += text.slice(0, maxTextLength)
    running.audioLength += audioLength
  }

  /** Charges a response that is done, once. @throws AppError when the ledger cannot charge. */
  chargeResponse(chargeResponse: ResponseDone): Promise<void> {
    return this.#track(this.#finish(chargeResponse))
  }

  async #finish({ responseId, usage, text, isFailed, isUsageLate }: ResponseDone): Promise<void> {
    if (this.#isCharged(responseId)) return
    await this.#begin(responseId)
    const running = this.#end(responseId)
    if (!running) return
    if (usage === null && isFailed && running.text === '' && running.audioLength === 0)
      return this.#release(running.hold)
    // The next one is charged with it, and no third one.
    if (isUsageLate && !running.hasLate) {
      this.#late = { ...running, responseId }
      return this.#keepSpare(running.hold)
    }
    const written = running.hasLate ? running.text : text.slice(0, maxTextLength)
    const output = { text: written || running.text, audioLength: running.audioLength }
    await this.#charge(running, output, await this.#meter(running, output, usage), { upstreamId: responseId })
  }

  /** Holds quota for the next response, unless it is held. @throws AppError as `began`. */
  async renew(): Promise<void> {
    if (this.isRunning || this.#spare || this.#requested.length > 0) return
    await this.#track(this.#renewSpare())
  }

  /** Charges what arrived of responses and transcripts in progress, and releases all holds. */
  async end(ending: 'abandoned' | 'broken'): Promise<void> {
    await Promise.allSettled(this.#pending)
    const held = [this.#takeSpare(), ...this.#requested.splice(0).map(({ hold }) => hold)].filter(
      (hold) => hold !== null,
    )
    const late = this.#late
    this.#late = null
    const lateHold = late && held.shift()
    if (late && lateHold) this.#running.set(late.responseId, { ...late, hold: lateHold, hasLate: true })
    for (const hold of held) this.#release(hold)
    for (const responseId of this.#running.keys()) {
      const running = this.#end(responseId)
      if (!running) continue
      const hasOutput = running.text !== '' || running.audioLength > 0
      if (hasOutput) {
        const metered = await this.#meter(running, running, null)
        await this.#charge(running, running, metered, { upstreamId: responseId, ending })
      } else this.#release(running.hold)
    }
    await this.transcripts.end(ending)
  }

  #track(work: Promise<void>): Promise<void> {
    this.#pending.add(work)
    return work.finally(() => this.#pending.delete(work))
  }

  /** Responses without an id cannot be told apart. */
  #isCharged(id: string): boolean {
    return id !== '' && this.#charged.has(id)
  }

  #end(responseId: string): Running | undefined {
    const running = this.#running.get(responseId)
    this.#running.delete(responseId)
    if (responseId !== '') this.#charged.set(responseId, true)
    return running
  }

  #release(hold: Hold): void {
    this.#session.deps.ctx.ledger.release(hold.context.reservation)
  }

  async #charge(running: Running, output: Output, metered: Metered, reported: Reported): Promise<void> {
    const { context } = running.hold
    const { choice, prepared } = this.#served
    const price = servingPrice(context, choice, prepared)
    const cost = servingCost(context, choice, prepared)
    const { startedAt, firstOutputMs } = running
    const { view, reservation } = context
    const texts = { input: this.#conversation.inputText, output: output.text }
    this.#conversation.recordResponse(metered.usage)
    await chargeUse({
      context,
      reservation,
      served: this.#served,
      model: view.model,
      modelChoice: this.#session.modelChoice,
      price,
      cost,
      metered,
      startedAt,
      firstOutputMs,
      texts,
      ...reported,
      ...(prepared.isModelMapped && { upstreamModel: prepared.upstreamModel }),
    })
  }

  async #meter({ hold }: Running, output: Output, usage: ReportedUsage | null): Promise<Metered> {
    const { view, quote } = hold.context
    const { upstreamModel } = this.#served.prepared
    const limit = this.#maxOutputOf(view)
    const maxTokens = limit ?? Math.max(...quote.prices.all.map(({ maxOutputTokens }) => maxOutputTokens))
    const estimate = () => this.#conversation.estimate(output, quote.model, maxTokens)
    if (usage === null) return { usage: await estimate(), estimated: 'all' }
    const metered = await meter({
      responseView: { usage, toolCalls: 0, completionText: () => output.text },
      prompt: view.prompt,
      model: quote.model,
      evidence: () => ({
        requestBytes: 0,
        isPromptShown: false,
        promptTokens: view.promptTokens,
        maxOutputTokens: limit,
        choices: 1,
        maxToolUses: () => 0,
        isSpoken: () => true,
        images: 0,
        textBytes: 0,
        model: modelOf(upstreamModel) ?? modelOf(quote.model),
      }),
    })
    if (metered.capped?.completion_tokens === undefined) return metered
    const { completionTokens, audioOutputTokens } = await estimate()
    return { ...metered, usage: { ...metered.usage, completionTokens, audioOutputTokens } }
  }

  /** An upstream may begin other responses first than those that were requested: none is longer than the longest that may have begun. */
  #maxOutputOf({ maxOutputTokens: own }: CallView): number | null {
    const { maxOutputTokens: usual } = this.#conversation.facts
    return own === null || usual === null ? null : Math.max(own, usual)
  }

  /** Requests wait for it: on a small balance nothing would be left for them beside it. */
  async #renewSpare(): Promise<void> {
    const renewed = this.#holdNext().then((hold) => void (this.#spare = hold))
    this.#renewing = renewed.catch(() => {})
    await renewed
  }

  /** Holds quota for a response that the upstream may begin by itself. */
  async #holdNext(): Promise<Hold> {
    const { pathContext } = this.#session.call
    const view = this.#conversation.nextResponse(pathContext.model)
    const hold = await this.#drawWindows(await firstHold(this.#session, view, this.#nextId()))
    this.#latest = hold.context
    return hold
  }

  #now(): number {
    return this.#session.deps.ctx.clock.monotonic()
  }

  /** Rows of one session are found by the id that its client was given, which is that of the first. */
  #nextId(): string {
    this.#count += 1
    return `${this.#session.call.requestId}-${this.#count}`
  }
}

/** Resolves with what a session holds while nothing was requested of it. @throws AppError as `holdResponse`. */
export function firstHold(session: SessionContext, view: CallView, requestId: string): Promise<Hold> {
  const hold = isTranscription(session.call.query) ? holdTranscripts : holdResponse
  return hold(session, view, requestId)
}
