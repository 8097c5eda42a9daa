import { type ReportedUsage, type ResponseDone } from '@tollgate/dialects'
import { modelOf } from '@tollgate/models'

import { AppError } from '../../app-error'
import { lruCache } from '../../lru-cache'
import { meter, type Metered } from '../../metering/meter'
import type { CallContext } from '../call-context'
import { servingCost, servingPrice } from '../pricing/serving-price'
import { chargeUse, type ServedBy, type Use } from './charge-use'
import type { Conversation, Output } from './conversation'
import { holdNext, type Hold, type SessionContext } from './hold'
import { TranscriptCharges } from './transcript-charges'

/** A session has one response in progress, and a few beside the conversation. An upstream with more does not speak the protocol. */
const mostRunning = 16
/** Characters of a response: what is longer than any model says is not kept, nor charged by an estimate. */
const longestText = 256 * 1024
/** Ids of charged responses. */
const mostCharged = 1000

/** A response in progress. */
interface Running {
  readonly hold: Hold
  /** Monotonic milliseconds. */
  readonly startedAt: number
  firstOutputMs: number | null
  text: string
  audioLength: number
}

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
 * What a session holds and pays. Quota for one response is held at all times; when it is used up by a response more is held for the next
 * one. Each response is charged once, in its own row, before the client learns that it is done, and so is each transcription.
 */
export class SessionCharges {
  #spare: Hold | null
  #count = 1
  readonly transcripts: TranscriptCharges
  readonly #running = new Map<string, Running>()
  readonly #charged = lruCache<string, true>(mostCharged)
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
      tracked: (charge) => this.#tracked(charge),
    })
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
   * Begins a response.
   * @throws AppError when nothing can be held for it: `quota.user`, `quota.token`, `ledger.unavailable`, or that the model is not sold.
   */
  began(responseId: string): Promise<void> {
    return this.#tracked(this.#begin(responseId))
  }

  async #begin(responseId: string): Promise<void> {
    if (this.#running.has(responseId) || this.#isCharged(responseId)) return
    if (this.#running.size >= mostRunning) throw new AppError('upstream.malformed')
    const hold = this.#spare ?? (await this.#hold())
    this.#spare = null
    const startedAt = this.#session.deps.ctx.clock.monotonic()
    this.#running.set(responseId, { hold, startedAt, firstOutputMs: null, text: '', audioLength: 0 })
  }

  /** Adds output of a response in progress, in case its usage never arrives. */
  received({ text, audioLength }: Output): void {
    const running = [...this.#running.values()].at(-1)
    if (!running) return
    running.firstOutputMs ??= Math.round(this.#session.deps.ctx.clock.monotonic() - running.startedAt)
    if (running.text.length < longestText) running.text += text.slice(0, longestText)
    running.audioLength += audioLength
  }

  /** Charges a response that is done, once. @throws AppError when the ledger cannot charge. */
  done(done: ResponseDone): Promise<void> {
    return this.#tracked(this.#finish(done))
  }

  async #finish({ responseId, usage, text, isFailed }: ResponseDone): Promise<void> {
    if (this.#isCharged(responseId)) return
    await this.#begin(responseId)
    const running = this.#end(responseId)
    if (!running) return
    if (usage === null && isFailed && running.text === '' && running.audioLength === 0) return this.#release(running)
    const output = { text: text || running.text, audioLength: running.audioLength }
    await this.#charge(running, output, await this.#metered(running, output, usage), { upstreamId: responseId })
  }

  /** Holds quota for the next response, unless it is held. @throws AppError as `began`. */
  async renew(): Promise<void> {
    if (this.isRunning || this.#spare) return
    await this.#tracked(this.#hold().then((hold) => void (this.#spare = hold)))
  }

  /** Charges what arrived of responses and transcripts in progress, and releases all holds. */
  async end(ending: 'abandoned' | 'broken'): Promise<void> {
    await Promise.allSettled(this.#pending)
    if (this.#spare) this.#session.deps.ctx.ledger.release(this.#spare.context.reservation)
    this.#spare = null
    for (const responseId of this.#running.keys()) {
      const running = this.#end(responseId)
      if (!running) continue
      const hasOutput = running.text !== '' || running.audioLength > 0
      if (hasOutput) {
        const metered = await this.#metered(running, running, null)
        await this.#charge(running, running, metered, { upstreamId: responseId, ending })
      } else this.#release(running)
    }
    await this.transcripts.end(ending)
  }

  #tracked(work: Promise<void>): Promise<void> {
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

  #release({ hold }: Running): void {
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
    this.#conversation.responded(metered.usage)
    await chargeUse({
      context,
      reservation,
      served: this.#served,
      model: view.model,
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

  async #metered({ hold }: Running, output: Output, usage: ReportedUsage | null): Promise<Metered> {
    const { view, quote } = hold.context
    const { upstreamModel } = this.#served.prepared
    if (usage === null) return { usage: await this.#conversation.estimate(output, quote.model), estimated: 'all' }
    return meter({
      answer: { usage, toolCalls: 0, completionText: () => output.text },
      prompt: view.prompt,
      model: quote.model,
      evidence: () => ({
        requestBytes: 0,
        isPromptShown: false,
        promptTokens: view.promptTokens,
        maxOutputTokens: view.maxOutputTokens,
        choices: 1,
        mostToolUses: () => 0,
        images: 0,
        textBytes: output.text.length + output.audioLength,
        model: modelOf(upstreamModel) ?? modelOf(quote.model),
      }),
    })
  }

  async #hold(): Promise<Hold> {
    const { place } = this.#session.call
    const hold = await holdNext(this.#session, this.#conversation.nextResponse(place.model), this.#nextId())
    this.#latest = hold.context
    return hold
  }

  /** Rows of one session are found by the id that its client was given, which is that of the first. */
  #nextId(): string {
    this.#count += 1
    return `${this.#session.call.requestId}-${this.#count}`
  }
}
