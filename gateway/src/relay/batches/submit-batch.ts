import { DialectError, isObject, scanRequest, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { Catalog } from '../../channels/catalog/catalog'
import { Price } from '../../billing/pricing/price'
import type { PinnedPrices, PriceQuery } from '../../billing/pricing/prices'
import { storedPrice } from '../../tasks/task-terms'
import { parseTextInTurns } from '../../channels/calls/parse-response-object'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { Payer } from '../../billing/ledger/ledger'
import { BatchWriter, batchTask } from '../../tasks/batches/begin-batch'
import type { Batch } from '../../tasks/batches/batch-store'
import {
  noTerms,
  ownBatchEntry,
  vendorBatchEntry,
  type BatchError,
  type StoredModelPrice,
} from '../../tasks/batches/batch-terms'
import { lineId } from '../../tasks/batches/settle-line'
import { nextTurn } from '../../platform/time/timers'
import { payInTurn } from '../admission/payers'
import { spendableOf } from '../background/defer-call'
import type { Caller, IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { failureOf } from '../errors/failure'
import { LongWork } from '../in-flight/long-work'
import type { MarkCreated } from '../tasks/create-once'
import { initialTerms, submitterOf } from '../tasks/task-order'
import type { LineRequest } from './line-results'
import { lineCall, lineRequest, prepareLine, type LineCallFacts } from './prepare-line'

/** A request as it stands in a batch. */
export interface SubmittedLine {
  /** Where it stands: that of a file begins with 1. */
  readonly number: number
  /** As the client sent it. */
  readonly text: string
}

/** A batch as it was submitted, in whichever dialect. */
export interface Submission {
  readonly id: string
  readonly dialect: 'openai' | 'anthropic'
  readonly endpoint: string
  readonly inputFileId: string
  readonly metadata: Record<string, string> | null
  readonly outputSeconds: number | null
  readonly lines: AsyncIterable<SubmittedLine>
  /** Returns the request in a line. @throws DialectError, which is told with the number of the line. */
  readonly read: (value: JsonObject) => LineRequest
  /** The call is refused where a line is not as it should be: there are no batches that failed. */
  readonly refusesAtOnce?: boolean
}

/** Headers that the calls of a batch have as well. */
const passedHeaders = ['anthropic-beta', 'anthropic-version', 'openai-beta'] as const
/** As many are reported of one batch. */
const maxErrors = 50

/**
 * Reads, checks and prices all lines of a batch and begins it. One line that is not as it should be fails the batch, which says why.
 * @throws AppError `batch.own_login`, `batch.open`, `quota.user`, `quota.token`, `quota.window` and others that concern the batch as a whole.
 */
export async function submitBatch(
  call: IncomingCall,
  caller: Caller,
  submission: Submission,
  deps: RelayDeps,
  mark: MarkCreated,
): Promise<Batch> {
  const { ctx } = deps
  // Its calls run when the client is gone: with keys of channels, at their price.
  if (caller.ownLogin !== null) throw new AppError('batch.own_login')
  const writer = await BatchWriter.open(ctx, submission)
  try {
    const reader = new LineReader(call, caller, submission, deps)
    const work = new LongWork(deps.inFlight)
    for await (const line of submission.lines) {
      const stored = await reader.read(line)
      if (stored !== null && reader.errors.length === 0) await writer.add(stored)
      if (reader.errors.length >= maxErrors) break
      work.step(line.text.length, 1)
      // Others are served meanwhile.
      await nextTurn()
    }
    if (reader.count === 0) reader.fail(null, 'empty_file', 'The batch has no requests.')
    const now = ctx.clock.now()
    const task = {
      ...batchTask(now),
      publicId: submission.id,
      action: 'BATCH',
      model: reader.model,
      ...submitterOf(caller),
      prompt: submission.endpoint,
      request: {},
      terms: initialTerms(call, caller, ''),
    }
    const { metadata, outputSeconds } = submission
    const [first] = reader.errors
    if (first && submission.refusesAtOnce === true)
      throw new DialectError(
        `requests.${(first.line ?? 1) - 1}`,
        'invalid_value',
        `requests.${(first.line ?? 1) - 1}: ${first.message}`,
      )
    if (first) return await writer.fail(task, { metadata, errors: reader.errors }, mark)
    const { headers, prices, isForVendors } = reader
    const terms = { ...noTerms, metadata, outputSeconds, headers, prices: prices.recorded, isForVendors }
    const begin = (payer: Payer) =>
      writer.begin(task, terms, {
        payer: withoutPlaces(payer),
        range: reader.range,
        spendable: () => spendableOf(payer, ctx),
        maxOpen: call.catalog.options.BatchUserBatches,
        mark,
      })
    // A plan pays for what it covers, and a batch is paid by one.
    return await (reader.model === ''
      ? begin(caller.payer)
      : payInTurn({ caller, model: reader.model, clock: ctx.clock }, begin))
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

/** The calls of a batch come one after the other, so they take no places of calls at the same time. */
const withoutPlaces = (payer: Payer): Payer => ({
  ...payer,
  windows: payer.windows?.filter(({ measure }) => measure !== 'concurrent'),
})

/** Reads the lines of one batch, and adds up what they may cost. */
class LineReader {
  readonly errors: BatchError[] = []
  readonly prices: PriceRecorder
  readonly headers: Record<string, string>
  readonly range = { max: 0, min: 0, tokens: { prompt: 0, completion: 0 } }
  count = 0
  #isPlain: boolean
  readonly #facts: LineCallFacts
  readonly #ids = new Set<string>()
  readonly #models = new Set<string>()

  constructor(
    private readonly call: IncomingCall,
    private readonly caller: Caller,
    private readonly submission: Submission,
    private readonly deps: RelayDeps,
  ) {
    this.prices = new PriceRecorder(call.catalog, call.catalog.options.BatchPriceFactor)
    this.#isPlain = caller.ownLogin === null && caller.pinnedChannelId === null
    this.headers = Object.fromEntries(
      passedHeaders.flatMap((name) => {
        const value = call.request.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
    const { id: batchId, endpoint: path } = submission
    const { clientIp, language } = call
    this.#facts = { batchId, path, request: lineRequest(path, this.headers), clientIp, language }
  }

  /** The model of all lines; empty where they have several. */
  get model(): string {
    const [first = ''] = this.#models
    return this.#models.size === 1 ? first : ''
  }

  get isForVendors(): boolean {
    return this.#isPlain && this.#models.size === 1
  }

  fail(line: number | null, code: string, message: string, param: string | null = null): void {
    this.errors.push({ code, line, message, param })
  }

  /** Resolves with what is kept of a line; null: something is wrong with it, as `errors` say. */
  async read({ number, text }: SubmittedLine) {
    this.count += 1
    const { BatchMaxLines: maxLines } = this.call.catalog.options
    if (this.count > maxLines) {
      this.fail(number, 'too_many_requests', `A batch has at most ${maxLines} requests.`)
      return null
    }
    try {
      // Before it is parsed: it may have more structure than any call.
      scanRequest(text)
      const value = await parseTextInTurns(text).catch(() => undefined)
      if (!isObject(value)) throw new DialectError(null, 'invalid_type', 'This line is not a JSON object.')
      return await this.#price(this.#unique(this.submission.read(value)))
    } catch (error) {
      if (!(error instanceof AppError || error instanceof DialectError || error instanceof UpstreamError)) throw error
      // It says nothing about the line: the whole submission is to be made again.
      if (error instanceof AppError && error.code === 'gateway.memory') throw error
      const { code, message, param } = failureOf(error, this.call)
      this.fail(number, code, message, param)
      return null
    }
  }

  #unique(request: LineRequest): LineRequest {
    if (this.#ids.has(request.custom_id))
      throw new DialectError(
        'custom_id',
        'ambiguous_parameter',
        `The custom_id '${request.custom_id.slice(0, 100)}' is there twice.`,
      )
    this.#ids.add(request.custom_id)
    return request
  }

  async #price(request: LineRequest) {
    const { ctx } = this.deps
    const { batchId, path } = this.#facts
    const call = lineCall(this.#facts, lineId(batchId, this.count), this.prices.catalog, ctx)
    if (!call) throw new AppError('endpoint.unsupported', { params: { path } })
    // The files that it names.
    using room = this.deps.inFlight.memory.open(this.caller.payer.userId)
    const { quote, view, isPlain } = await prepareLine(call, this.caller, JSON.stringify(request.body), {
      ctx,
      unixMs: ctx.clock.now(),
      room,
    })
    const { max, min, tokens } = quote.holdRange
    this.#models.add(view.model)
    this.#isPlain &&= isPlain
    this.range.max += max
    this.range.min += min
    this.range.tokens.prompt += tokens?.prompt ?? 0
    this.range.tokens.completion += tokens?.completion ?? 0
    return { line: this.count, model: view.model, maxQuota: max, minQuota: min, text: JSON.stringify(request) }
  }
}

/** Records the prices by which the lines of a batch are priced, so that they stay until its end. */
class PriceRecorder {
  readonly catalog: Catalog
  readonly #prices = new Map<string, { readonly price: Price; readonly stored: StoredModelPrice }>()

  /** `factor`: that of calls in batches which the gateway makes itself. */
  constructor(
    own: Catalog,
    private readonly factor: number,
  ) {
    const find: PinnedPrices = (model, query) => this.#find(own, model, query)
    this.catalog = { ...own, prices: own.prices.withPinned(find) }
  }

  get recorded(): readonly StoredModelPrice[] {
    return [...this.#prices.values()].map(({ stored }) => stored)
  }

  #find({ prices }: Catalog, model: string, query: PriceQuery): Price | undefined {
    const { upstreamModel = '', isOwnMachine = false } = query
    const name = `${model}\n${upstreamModel}\n${isOwnMachine}`
    const known = this.#prices.get(name)
    if (known) return known.price
    const found = prices.priceOf(model, query)
    if (!found) return undefined
    const entry = ownBatchEntry(found.entry, this.factor)
    const vendorEntry = vendorBatchEntry(found.entry, this.factor)
    const names = { model, upstreamModel, isOwnMachine }
    const stored = { ...storedPrice(found), entry, ...names, ...(vendorEntry && { vendorEntry }) }
    const price = new Price({ ...stored, modeRatio: () => null })
    this.#prices.set(name, { price, stored })
    return price
  }
}
