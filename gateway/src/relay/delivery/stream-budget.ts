import { noUsage, type StreamTap, type Usage, type UsageCounter } from '@tollgate/dialects'

import type { Ledger, Reservation } from '../../billing/ledger/ledger'
import { computeCharge } from '../../billing/pricing/charge'
import { maxPrompt, outputTokenCost, possibleVariants } from '../../billing/pricing/hold'
import type { PinnedPrice } from '../../billing/pricing/price'

export interface StreamBudgetDeps {
  readonly ledger: Pick<Ledger, 'extend'>
  readonly reservation: Reservation
  /** The price at the channel that serves. */
  readonly price: PinnedPrice
  /** Estimated. */
  readonly promptTokens: number
  readonly tap: Pick<StreamTap, 'counter' | 'events' | 'isFinished' | 'textBytes' | 'usage'>
  /** Returns whether the upstream can have used as much as it reports. */
  readonly isPossible: (usage: Usage) => boolean
}

/** `wait`: more was requested from the database, and all that is held is used up. `end`: no more is available. */
type Verdict = 'go-on' | 'wait' | 'end'

/** No run of tokens averages fewer bytes, so the number of generated tokens is at most the bytes divided by this. */
const bytesPerToken = 3
/** More is requested before the hold is used up, so that the stream need not wait for the database. */
const tokensAhead = 1024
const tokensAtOnce = 2048
/** A balance that is nearly empty is taken in a few steps. */
const minTokens = 256
/** About one event. */
const minBytes = 256
/** Some events. Where they count tokens, they may count some that have no text: thoughts. To look at a count costs next to nothing. */
const countedBytes = 1024

/**
 * Ensures that a stream costs no more than is held for it, and extends the hold while the balance allows. Between two checks it only
 * counts bytes: it knows how many can arrive before the hold may be used up.
 */
export class StreamBudget {
  #bytesLeft = 0
  /** How many bytes until what the upstream counted is looked at; Infinity: it does not count in its events. */
  #untilLook = Infinity
  /** The number of tokens that the hold pays for. */
  #paidTokens = 0
  /** What counts the tokens that were reported since the usage was last read. */
  #counter: UsageCounter | null = null
  /** What it had counted then, and how many tokens had come. */
  #counted = 0
  #countedTokens = 0
  #isRefused = false
  #pending: Promise<void> | null = null

  private constructor(
    private readonly deps: StreamBudgetDeps,
    private readonly tokenCost: number,
  ) {}

  /** Returns null where the length of a response does not change its price. */
  static of(deps: StreamBudgetDeps): StreamBudget | null {
    const tokenCost = outputTokenCost(possibleVariants(deps.price, deps.promptTokens), deps.price.possible)
    return tokenCost > 0 ? new StreamBudget(deps, tokenCost) : null
  }

  /** Resolves when the request for more quota is answered. */
  get whenSettled(): Promise<void> {
    return this.#pending ?? Promise.resolve()
  }

  /** How many bytes may be read at once: a larger read is checked piece by piece. */
  get readable(): number {
    return Math.max(Math.min(this.#bytesLeft, this.#lookEvery), minBytes)
  }

  /** Counts the bytes of every read. Returns whether it is time for a check. */
  took(bytes: number): boolean {
    this.#bytesLeft -= bytes
    this.#untilLook -= bytes
    return this.#bytesLeft <= 0 || this.#untilLook <= 0
  }

  check(): Verdict {
    if (this.deps.tap.isFinished) {
      this.#bytesLeft = Infinity
      this.#counted = 0
      this.#untilLook = Infinity
      return 'go-on'
    }
    if (this.#isPaid()) return 'go-on'
    const { reservation } = this.deps
    const cost = this.#costSoFar()
    const ahead = Math.ceil(tokensAhead * this.tokenCost)
    while (reservation.amount - cost <= ahead && this.#mayRequest)
      this.#requestMore(Math.max(0, cost - reservation.amount))
    const left = reservation.amount - cost
    if (left <= 0) return this.#pending === null ? 'end' : 'wait'
    const unwatched = left > ahead ? left - ahead : left
    const tokens = Math.floor(unwatched / this.tokenCost)
    this.#paidTokens = this.#tokensSeen() + tokens
    this.#startCounting()
    this.#readOn(tokens)
    return 'go-on'
  }

  /** Returns whether fewer tokens came than bytes allowed for, so that nothing need be computed: most bytes of an event are not text. */
  #isPaid(): boolean {
    const tokens = this.#paidTokens - Math.max(this.#tokensSeen(), this.#tokensReported())
    if (tokens <= 0) return false
    this.#readOn(tokens)
    return true
  }

  /** Until the next check, while this many tokens are paid for. */
  #readOn(tokens: number): void {
    this.#bytesLeft = Math.max(1, tokens * bytesPerToken)
    this.#untilLook = this.#lookEvery
  }

  get #lookEvery(): number {
    return this.#counted > 0 ? countedBytes : Infinity
  }

  /** Returns how many tokens may have been reported; Infinity where the usage has to be read to know. */
  #tokensReported(): number {
    const { tap } = this.deps
    const counter = this.#counter
    if (counter !== null && tap.counter === counter && counter.counted >= this.#counted)
      return this.#countedTokens + counter.counted - this.#counted
    if (tap.usage !== null) return Infinity
    this.#startCounting()
    return 0
  }

  #startCounting(): void {
    const { counter } = this.deps.tap
    this.#counter = counter
    this.#counted = counter?.counted ?? 0
    this.#countedTokens = this.#tokensSeen()
  }

  #tokensSeen(): number {
    const { events, textBytes } = this.deps.tap
    return Math.max(events, Math.ceil(textBytes / bytesPerToken))
  }

  /** Returns an upper estimate, except for what the upstream does not show. */
  #costSoFar(): number {
    const { tap, price, promptTokens, isPossible } = this.deps
    const seen = this.#tokensSeen()
    const { usage } = tap
    if (usage === null || !isPossible(usage)) {
      const { isSpoken, tools: toolCalls } = price.possible
      const audioOutputTokens = isSpoken ? seen : 0
      const prompt = maxPrompt(price, promptTokens)
      return computeCharge(price, { ...noUsage, ...prompt, completionTokens: seen, audioOutputTokens, toolCalls }).quota
    }
    const isPromptReported = usage.unreported !== 'prompt' && usage.unreported !== 'all'
    return computeCharge(price, {
      ...usage,
      promptTokens: isPromptReported ? usage.promptTokens : Math.max(usage.promptTokens, promptTokens),
      completionTokens: Math.max(usage.completionTokens, seen),
    }).quota
  }

  get #mayRequest(): boolean {
    return !this.#isRefused && this.#pending === null
  }

  /** Requests the missing quota plus that for the tokens to come. */
  #requestMore(missing: number): void {
    const { ledger, reservation } = this.deps
    const maxAmount = missing + Math.ceil(tokensAtOnce * this.tokenCost)
    const fair = missing + Math.ceil(minTokens * this.tokenCost)
    const added = ledger.extend(reservation, { max: maxAmount, min: 1, fair })
    if (typeof added === 'number') return this.#applyGrant(added)
    this.#pending = this.#await(added)
  }

  async #await(pending: Promise<number>): Promise<void> {
    const amount = await pending
    this.#pending = null
    this.#applyGrant(amount)
  }

  #applyGrant(amount: number): void {
    this.#isRefused = amount === 0
    // Quota granted while the stream went on counts from the next read on.
    this.#bytesLeft = 0
  }
}
