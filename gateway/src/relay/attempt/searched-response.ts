import {
  Accumulator,
  JoinedRounds,
  roundText,
  type AnswerEvent,
  type FoundPages,
  type RequestedSearch,
  type SearchProgress,
  type SearchRound,
} from '@tollgate/dialects'
import { byteLengthOf, type ByteReader, type UpstreamResponse } from '@tollgate/http-client'

import { computeCharge } from '../../billing/pricing/charge'
import type { AttemptClocks } from '../../channels/calls/clocks'
import { parseInTurns, readResponseObject, responseLimits } from '../../channels/calls/parse-response-object'
import type { Prepared } from '../../channels/calls/prepare'
import {
  authorizeRequest,
  callUpstream,
  isSuccess,
  readResponseBody,
  refusalOf,
} from '../../channels/calls/upstream-call'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { Choice } from '../../channels/catalog/catalog'
import { searchWeb } from '../../channels/web-search/search-web'
import type { Context } from '../../context'
import type { CallContext } from '../call-context'
import { servingPrice } from '../pricing/call-price'
import { unframe, type RoundTally } from './stream-opening'

/** An attempt whose first round has begun. */
interface SearchedAttempt {
  readonly context: CallContext
  readonly choice: Choice
  readonly prepared: Prepared
  readonly round: SearchRound
  readonly response: UpstreamResponse
  readonly clocks: AttemptClocks
  /** Writes the request of a later round. */
  readonly prepareRound: (progress: SearchProgress) => Prepared
}

/** Calls a model again and again while it asks for searches, and runs these. What all rounds say is one answer. */
export class SearchRounds implements RoundTally {
  rounds = 1
  hasSearched = false
  requestBytes: number
  readonly #attempt: SearchedAttempt
  readonly #joined: JoinedRounds
  #searchesLeft: number
  #body: ByteReader | null = null

  constructor(attempt: SearchedAttempt) {
    this.#attempt = attempt
    this.#joined = new JoinedRounds(attempt.round.searchName)
    this.#searchesLeft = attempt.context.quote.maxSearches
    this.requestBytes = byteLengthOf(attempt.prepared.request.body)
  }

  /** Yields the events of the answer as they come. @throws UpstreamError; AppError when the gateway stops. */
  async *events(): AsyncGenerator<readonly AnswerEvent[]> {
    const { context } = this.#attempt
    const joined = this.#joined
    let { prepared, response, round } = this.#attempt
    for (;;) {
      for await (const events of this.#eventsOf(round, prepared, response)) yield joined.take(events)
      const searches = context.departure.isGone ? [] : joined.takeSearches()
      if (searches.length === 0 || this.#searchesLeft === 0) break
      const { events, messages } = joined.continueWith(await this.#search(searches))
      this.hasSearched = true
      yield events
      this.#messages.push(...messages)
      const isLast = this.#searchesLeft === 0
      prepared = this.#attempt.prepareRound({
        messages: this.#messages,
        usedTokens: joined.usage.completionTokens,
        isLast,
      })
      if (!prepared.translated?.round) break
      round = prepared.translated.round
      response = await this.#call(prepared)
    }
    yield joined.finish()
  }

  /** Returns the end of an answer whose next round has failed. */
  cut(): readonly AnswerEvent[] {
    return this.#joined.cut()
  }

  /** Stops reading. */
  async cancel(): Promise<void> {
    await this.#body?.cancel()
  }

  readonly #messages: SearchProgress['messages'][number][] = []

  async *#eventsOf(
    round: SearchRound,
    prepared: Prepared,
    response: UpstreamResponse,
  ): AsyncGenerator<readonly AnswerEvent[]> {
    const { context, clocks } = this.#attempt
    const { description } = prepared
    if (!context.view.isStream) {
      const bytes = await readResponseBody(response, clocks, description)
      const json = await parseInTurns(bytes, responseLimits(description, true))
      readResponseObject(json, description)
      yield round.readAnswer(json)
      return
    }
    const reader = round.createReader()
    const body = (this.#body = unframe(response.body, description.createUnframer?.()))
    for (;;) {
      const read = await body.read()
      if (read.done) break
      clocks.touch()
      yield reader.push(read.value)
    }
    yield reader.end()
  }

  /** Those beyond the limit, or beyond what is held, are not run. */
  async #search(searches: readonly RequestedSearch[]): Promise<readonly FoundPages[]> {
    const { context, round, clocks } = this.#attempt
    const { ctx } = context.deps
    const { options } = context.call.catalog
    const allowed = searches.slice(0, this.#searchesLeft)
    const run = allowed.slice(0, await this.#paidSearches(allowed.length))
    this.#searchesLeft = run.length < allowed.length ? 0 : this.#searchesLeft - run.length
    const found = await Promise.all(run.map(({ query }) => searchWeb(query, round.terms, options, ctx)))
    clocks.touch()
    return searches.map((_, index) => found[index] ?? beyondLimit)
  }

  /** Resolves with how many of these searches the hold pays for, after it was extended as far as the balance allows. A stream is watched as it is sent. */
  async #paidSearches(count: number): Promise<number> {
    const { context, choice, prepared } = this.#attempt
    const { reservation, deps } = context
    if (context.view.isStream) return count
    const price = servingPrice(context, choice, prepared)
    const { usage } = this.#joined
    const webSearch = usage.toolCalls.webSearch ?? 0
    const costOf = (more: number) =>
      computeCharge(price, { ...usage, toolCalls: { ...usage.toolCalls, webSearch: webSearch + more } }).quota
    const missing = costOf(count) - reservation.amount
    if (missing > 0) await deps.ctx.ledger.extend(reservation, { max: missing, min: 1 })
    let paid = count
    while (paid > 0 && costOf(paid) > reservation.amount) paid -= 1
    return paid
  }

  async #call(prepared: Prepared): Promise<UpstreamResponse> {
    const { context, choice, clocks } = this.#attempt
    const { ctx } = context.deps
    const request = await authorizeRequest(ctx, prepared, clocks)
    this.rounds += 1
    this.requestBytes += byteLengthOf(request.body)
    const response = await callUpstream(ctx, request, clocks)
    if (isSuccess(response)) return response
    throw await refusalOf(response, prepared.description.dialect, choice.channel, clocks, ctx.clock)
  }
}

const beyondLimit: FoundPages = { pages: [], text: 'No more searches are allowed.', isError: true }

/** Reads a searched answer as a stream of bytes, for the tap that writes it in the client's dialect. */
export class SearchedStream implements ByteReader {
  readonly #events: AsyncGenerator<readonly AnswerEvent[]>

  constructor(private readonly rounds: SearchRounds) {
    this.#events = rounds.events()
  }

  async read(): ReturnType<ByteReader['read']> {
    for (;;) {
      const next = await this.#events.next()
      if (next.done) return { done: true }
      if (next.value.length > 0) return { done: false, value: roundText(next.value) }
    }
  }

  async cancel(): Promise<void> {
    await this.rounds.cancel()
  }
}

/**
 * Resolves with all events of a searched answer, and what they say to the gateway itself. Where a later round fails, the answer ends with
 * what there is: the rounds before are paid for.
 * @throws UpstreamError of the first round; AppError.
 */
export async function readWhole(rounds: SearchRounds, log: Context['log']) {
  const events: AnswerEvent[] = []
  try {
    for await (const more of rounds.events()) events.push(...more)
  } catch (error) {
    if (!rounds.hasSearched || !(error instanceof UpstreamError)) throw error
    log.warn(
      { status: error.status, fault: error.fault, round: rounds.rounds },
      'a call ended in the midst of its searches',
    )
    events.push(...rounds.cut())
  }
  const view = new Accumulator()
  for (const event of events) view.add(event)
  return { events, view }
}
