import type { InputTranscribed } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { lruCache } from '../../platform/lru-cache'
import { isOutOfQuota, type Reservation } from '../../billing/ledger/ledger'
import { heardUsage } from '../../billing/metering/audio-usage'
import { windowsOf } from '../../channels/catalog/channel-windows'
import { computeCharge } from '../../billing/pricing/charge'
import { countTokens } from '../../billing/metering/tokens'
import type { CallContext } from '../call-context'
import { servingPrice } from '../pricing/call-price'
import { chargeUse, type ServedBy, type Use } from './charge-use'
import type { Conversation } from './conversation'
import type { SessionContext } from './hold'

/** Transcripts in progress: one, and a few whose end is late. An upstream with more does not speak the protocol. */
const maxRunning = 64
/** Characters of a transcript: what is longer than any is not kept, nor charged by an estimate. */
const maxTextLength = 64 * 1024
const maxCharged = 1000

/** A transcript that has ended, as far as it is known. */
type Transcript = Pick<InputTranscribed, 'partId' | 'usage' | 'text'> & Pick<Use, 'ending'>

export interface TranscriptChargesOptions {
  readonly session: SessionContext
  readonly served: ServedBy
  readonly conversation: Conversation
  /** Returns the context of the session's latest hold. */
  readonly latest: () => CallContext
  /** Returns the request id of the next charge. */
  readonly nextId: () => string
  /** Called with each charge that is being made. */
  readonly track: (charge: Promise<void>) => Promise<void>
  readonly holds: SessionHolds
}

/** What a session holds for its responses. */
interface SessionHolds {
  /** Whether responses in progress, or requested, hold quota. */
  readonly isInUse: boolean
  /** Gives back what is held for the next response. Returns false where nothing is. */
  giveBack(): boolean
  /** Holds quota for the next response again. @throws AppError where there is none. */
  renew(): Promise<void>
}

/**
 * What a session pays for transcriptions of its input: each is charged when it has ended, once, and at most as many as there were turns with
 * audio. Nothing is held for them. A balance that does not cover one is spent on it before it is held for the next response.
 */
export class TranscriptCharges {
  #shortage: AppError | null = null
  readonly #charged = lruCache<string, true>(maxCharged)
  /** What arrived of transcripts in progress, by the id of the part of the input. */
  readonly #texts = new Map<string, string>()

  constructor(private readonly options: TranscriptChargesOptions) {}

  /** Set when a charge exceeded the balance. */
  get shortage(): AppError | null {
    return this.#shortage
  }

  /** Whether a transcript is in progress. */
  get isRunning(): boolean {
    return this.#texts.size > 0
  }

  /** Adds a part of a transcript, in case its end never arrives. @throws AppError `upstream.malformed` for more transcripts than a session has. */
  addText(partId: string, text: string): void {
    if (this.#isCharged(partId)) return
    const before = this.#texts.get(partId)
    if (before === undefined && this.#texts.size >= maxRunning) throw new AppError('upstream.malformed')
    if (before === undefined || before.length < maxTextLength)
      this.#texts.set(partId, (before ?? '') + text.slice(0, maxTextLength))
  }

  /** Forgets a transcript that the upstream gave up: it costs nothing. */
  discard(partId: string): void {
    this.#texts.delete(partId)
    this.options.conversation.dropSegment(partId)
  }

  /** Charges a transcription by the price of the model that made it, once. @throws AppError when the ledger cannot charge. */
  chargeTranscript({ partId, usage, text }: InputTranscribed): Promise<void> {
    this.#texts.delete(partId)
    if (this.#isCharged(partId)) return Promise.resolve()
    this.#charged.set(partId, true)
    return this.options.track(this.#charge({ partId, usage, text }))
  }

  /** Charges what arrived of transcripts in progress. */
  async end(ending: 'abandoned' | 'broken'): Promise<void> {
    for (const [partId, text] of this.#texts) if (text !== '') await this.#charge({ partId, usage: null, text, ending })
    this.#texts.clear()
  }

  /** Transcripts without an id cannot be told apart. */
  #isCharged(partId: string): boolean {
    return partId !== '' && this.#charged.has(partId)
  }

  async #charge({ partId, usage, text, ending }: Transcript): Promise<void> {
    const { session, served, conversation, latest, nextId } = this.options
    const { deps, call } = session
    const seconds = conversation.takeSegment(partId)
    if (seconds === null) return
    conversation.keepTranscript(text)
    const startedAt = deps.ctx.clock.monotonic()
    const { choice, prepared } = served
    const own = conversation.facts.transcriptionModel
    const ownPrice = own === null ? null : priceFor(session, own)
    const model = ownPrice === null || own === null ? call.pathContext.model : own
    const price =
      ownPrice === null ? servingPrice(latest(), choice, prepared) : ownPrice.pin({ unixMs: deps.ctx.clock.now() })
    const { entry } = price.price
    const countText = () => countTokens(text.slice(0, maxTextLength), model)
    const metered = await heardUsage(usage, { entry, seconds, countText })
    const requestId = nextId()
    const { reservation, isGivenBack } = await this.#hold(requestId, computeCharge(price, metered.usage).quota)
    const windows = windowsOf(deps.ctx.catalog.current, choice)
    if (windows) await deps.ctx.ledger.draw(reservation, windows, { cost: null })
    await chargeUse({
      context: { ...session, call: { ...call, requestId, catalog: deps.ctx.catalog.current } },
      reservation,
      served,
      model,
      price,
      cost: null,
      metered,
      startedAt,
      firstOutputMs: null,
      upstreamId: '',
      ending,
    })
    if (isGivenBack && ending === undefined) await this.#renew()
  }

  /** What was used already is charged, also where the balance does not cover it: the next response is refused then. */
  async #hold(requestId: string, quota: number): Promise<{ reservation: Reservation; isGivenBack: boolean }> {
    const { session, holds } = this.options
    const { ledger } = session.deps.ctx
    const { payer } = session.caller
    let isGivenBack = false
    for (;;) {
      try {
        return { reservation: await ledger.reserve(requestId, payer, quota), isGivenBack }
      } catch (error) {
        if (!isOutOfQuota(error)) throw error
        if (!isGivenBack && holds.giveBack()) {
          isGivenBack = true
          continue
        }
        // What a response in progress leaves of its hold may cover it; what is held next, or not, tells.
        if (!holds.isInUse) this.#shortage = error
        return { reservation: await ledger.reserve(requestId, payer, 0), isGivenBack }
      }
    }
  }

  async #renew(): Promise<void> {
    try {
      await this.options.holds.renew()
    } catch (error) {
      if (!isOutOfQuota(error)) throw error
      this.#shortage = error
    }
  }
}

const priceFor = ({ caller, deps }: SessionContext, model: string) =>
  deps.ctx.catalog.current.prices.priceOf(model, {
    group: caller.group,
    userGroup: caller.account.group,
    acceptsUnpriced: caller.account.acceptsUnpricedModels,
  })

/** Refuses a model for transcriptions that has no price. @throws AppError `model.unpriced`. */
export function requirePrice(session: SessionContext, model: string): void {
  if (priceFor(session, model) === null) throw new AppError('model.unpriced', { params: { model } })
}
