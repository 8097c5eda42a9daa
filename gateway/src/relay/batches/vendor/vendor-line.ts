import type { BatchApi, BatchLineReport } from '@tollgate/providers'
import { dialects, isObject, type JsonObject } from '@tollgate/dialects'

import { loadAccount } from '../../../accounts/callers/account'
import { callerLimits } from '../../admission/caller-limits'
import { AppError } from '../../../platform/app-error'
import { DatabaseUnavailableError } from '../../../platform/store/database-errors'
import type { Charge, Reservation } from '../../../billing/ledger/ledger'
import type { Catalog, Choice } from '../../../channels/catalog/catalog'
import { classifyFailure } from '../../../channels/calls/classify-failure'
import { startClocks } from '../../../channels/calls/clocks'
import { parseTextInTurns, readResponseObject } from '../../../channels/calls/parse-response-object'
import { prepare, type Prepared } from '../../../channels/calls/prepare'
import { divisionOf } from '../../../channels/calls/shares'
import { UpstreamError } from '../../../channels/calls/upstream-error'
import { heldFor, pinnedPrices, type BatchTerms } from '../../../tasks/batches/batch-terms'
import type { LineRow } from '../../../tasks/batches/batch-lines'
import type { Batch } from '../../../tasks/batches/batch-store'
import { lineId } from '../../../tasks/batches/settle-line'
import { readTerms } from '../../../tasks/task-terms'
import type { TaskAccount } from '../../../tasks/vendor-call'
import { requestedCall } from '../../attempt/open-response'
import type { OpenResponse, WholeResponse } from '../../attempt/stream-opening'
import type { Caller, ModelCall } from '../../call'
import { Timing, type CallContext, type RelayDeps } from '../../call-context'
import { recordOf } from '../../call-log'
import { Departure } from '../../departure'
import { failureOf } from '../../errors/failure'
import { recordObjects } from '../../objects/record-objects'
import type { Served } from '../../stages/attempt'
import { deliver } from '../../stages/deliver'
import { meterResponse } from '../../stages/meter'
import { outputLimit } from '../../stages/reserve'
import { settle } from '../../stages/settle'
import type { LineEnd, LineRequest } from '../line-results'
import { lineCall, lineRequest, prepareLine, type LineCallFacts } from '../prepare-line'
import { NotedLedger } from '../run-line'

/** The vendor of the account cannot be asked for a call as a line of a batch. */
export class NotForVendor extends Error {
  override readonly name = 'NotForVendor'
}

/** What the lines of a batch have in common at a vendor, with one snapshot of the catalog. */
export class VendorLines {
  readonly #catalog: Catalog
  readonly #account: TaskAccount
  readonly #facts: LineCallFacts
  #caller: Promise<Pick<Caller, 'account' | 'key'>> | null = null

  constructor(
    private readonly deps: RelayDeps,
    private readonly batch: Batch,
    account: TaskAccount,
    private readonly terms: BatchTerms,
  ) {
    const own = deps.ctx.catalog.current
    this.#account = { ...account, channel: channelThen(account, batch.task.model) }
    this.#catalog = {
      ...own,
      channels: new Map(own.channels).set(account.channel.id, this.#account.channel),
      prices: own.prices.withPinned(pinnedPrices(terms, true)),
    }
    const { row, task } = batch
    this.#facts = {
      batchId: task.public_id,
      path: row.endpoint,
      request: lineRequest(row.endpoint, terms.headers),
      clientIp: readTerms(task.terms).clientIp,
      language: 'en',
    }
  }

  /** Returns the name that the vendor is given for a line. */
  idOf(line: number): string {
    return lineId(this.batch.task.public_id, line)
  }

  /** Returns the line that the vendor has this name for; null where it is of another batch. */
  lineOf(id: string): number | null {
    const prefix = `${this.batch.task.public_id}-`
    const line = id.startsWith(prefix) ? Number(id.slice(prefix.length)) : NaN
    return Number.isSafeInteger(line) && line > 0 ? line : null
  }

  /** Resolves with the request of a line in the vendor's terms. @throws NotForVendor. */
  async write(row: LineRow, request: LineRequest, { paths }: Pick<BatchApi, 'paths'>): Promise<WrittenLine> {
    try {
      const { context, prepared, choice } = await this.#prepare(row, request, false)
      const { body, url, messages, headers } = prepared.request
      const requested = requestedCall(context, choice)
      const path = paths[prepared.description.dialect]
      const isFitting =
        !prepared.isGathered &&
        messages === undefined &&
        !url.includes('?') &&
        typeof body === 'string' &&
        divisionOf(prepared, requested, context.view.choices) === null
      const { maxInputTokens } = choice.channel
      const hasRoom = maxInputTokens === 0 || context.view.promptTokens <= maxInputTokens
      if (path === undefined || !isFitting || !hasRoom || context.quote.prices.priceAt(choice.channel) === null)
        throw new NotForVendor('The channel serves such calls in another form')
      return { body, path, headers: new Headers(headers) }
    } catch (cause) {
      if (cause instanceof NotForVendor || cause instanceof DatabaseUnavailableError) throw cause
      // The call fails by itself where it is made here.
      throw new NotForVendor('The call cannot be written', { cause })
    }
  }

  /**
   * Resolves with what became of a line that the vendor was asked for, and what it costs: at most what is held for it. `again`: the call itself is not
   * to blame, and is to be made again elsewhere.
   * @throws DatabaseUnavailableError.
   */
  async read(
    row: LineRow,
    request: LineRequest,
    report: Exclude<BatchLineReport, { readonly kind: 'undone' }>,
  ): Promise<VendorLineOutcome> {
    try {
      const line = await this.#prepare(row, request, true)
      const { context, noted } = line
      if (report.kind === 'failed') throw this.#refusal(line, report)
      const text = await (await this.#deliver(line, report.body)).text()
      const body = await parseTextInTurns(text).catch(() => null)
      const { charge } = noted
      if (charge === null || !isObject(body)) throw new AppError('upstream.malformed')
      const cost = Math.min(charge.cost, context.reservation.amount)
      const entry = { ...charge.entry, tokenId: this.batch.task.token_id }
      const isMapped = line.prepared.isModelMapped && typeof body['model'] === 'string'
      const shown = isMapped ? { ...body, model: context.view.model } : body
      return { kind: 'ended', end: { kind: 'served', body: shown }, charge: { ...charge, cost, entry } }
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error
      const failureClass =
        report.kind === 'failed' && error instanceof UpstreamError
          ? classifyFailure(error, this.#catalog.options)
          : 'request'
      if (failureClass !== 'request') return { kind: 'again', isAccountRefused: failureClass === 'key' }
      const masked = error instanceof UpstreamError ? error.withSecrets(this.#account.key.value) : error
      const failure = failureOf(masked, { requestId: this.idOf(row.line), language: 'en' })
      return { kind: 'ended', end: { kind: 'failed', failure }, charge: null }
    }
  }

  /** Does to the body of a response what is done to one that has just arrived. */
  async #deliver({ context, choice, prepared }: LineAtVendor, json: JsonObject): Promise<Response> {
    const { ctx } = this.deps
    const clocks = startClocks(ctx, { firstByteMs: null, idleMs: Infinity, totalMs: Infinity })
    clocks.finish()
    const response: WholeResponse = {
      kind: 'whole',
      isProven: true,
      prepared,
      clocks,
      headers: noHeaders,
      firstByteMs: 0,
      bytes: Buffer.from(JSON.stringify(json)),
      json,
      view: readResponseObject(json, prepared.description),
      translated: prepared.translated?.read(json),
    }
    const record = recordOf(choice, ctx.clock.monotonic(), ctx)
    context.records.push(record)
    const served: Served<OpenResponse> = { kind: 'served', choice, response, reporter: silent, slot: noSlot, record }
    return deliver(context, served, async (ending) => {
      const metered = await meterResponse(context, served, ending)
      const usage = await settle(context, served, ending, metered)
      recordObjects(context, served, metered)
      return usage
    })
  }

  #refusal({ prepared }: LineAtVendor, { status, body }: { readonly status: number; readonly body: JsonObject }) {
    const { channel } = this.#account
    const errorView = dialects[prepared.description.dialect].readError(status, JSON.stringify(body))
    return new UpstreamError({
      ...errorView,
      fault: 'refused',
      status: channel.statusCodeMapping.get(status) ?? status,
    })
  }

  async #prepare(row: LineRow, request: LineRequest, isDone: boolean): Promise<LineAtVendor> {
    const { deps, batch } = this
    const { ctx } = deps
    const { task, row: batchRow } = batch
    const requestId = this.idOf(row.line)
    const call = lineCall(this.#facts, requestId, this.#catalog, ctx)
    if (!call) throw new NotForVendor(`Nothing is served at ${batchRow.endpoint}`)
    const caller = await this.#callerOf(call, isDone)
    const text = JSON.stringify(request.body)
    const { body, view, quote } = await prepareLine(call, caller, text, {
      ctx,
      unixMs: task.submitted_at,
      at: 'vendor',
    })
    const amount = heldFor(row, this.terms)
    const reservation: Reservation = { requestId, payer: caller.payer, amount, spendable: null }
    const noted = new NotedLedger(ctx.ledger, reservation, reservation)
    const context: CallContext = {
      deps: { ...deps, ctx: { ...ctx, ledger: noted.ledger } },
      call,
      caller,
      body,
      view,
      objects: null,
      turn: null,
      quote,
      reservation,
      departure: Departure.withoutConnection(caller.payer),
      maxTokens: outputLimit(quote, view, { caps: caller.caps, reservation }),
      records: [],
      timing: new Timing(ctx, null),
    }
    const { channel, key } = this.#account
    const model = quote.model
    const choice: Choice = { channel, key, model }
    const prepared = prepare(requestedCall(context, choice), choice, this.#catalog)
    return { context, choice, prepared, noted, request }
  }

  /**
   * Resolves with the caller of the lines, at the channel that the batch is at. What the vendor has done is charged whatever became of key and
   * user, so nothing of what they may do is asked then.
   */
  async #callerOf({ catalog }: ModelCall, isDone: boolean): Promise<Caller> {
    const { task } = this.batch
    const { account, key } = await (this.#caller ??= this.#findCaller())
    return {
      account,
      key: key && { ...key, models: null },
      group: task.group,
      payer: { userId: task.user_id, tokenId: task.token_id, isTokenLimited: false },
      caps: isDone ? [] : callerLimits(account, key, catalog).caps,
      plans: [],
      tokenName: task.token_name,
      pinnedChannelId: this.#account.channel.id,
      ownLogin: null,
    }
  }

  async #findCaller(): Promise<Pick<Caller, 'account' | 'key'>> {
    const { database, accounts } = this.deps.ctx
    const { user_id: userId, token_id: tokenId } = this.batch.task
    const token = await database.query
      .selectFrom('tokens')
      .select('key_hash')
      .where('id', '=', tokenId)
      .executeTakeFirst()
    const key = token ? await accounts.byKeyHash(token.key_hash) : null
    const account = key?.account ?? (await loadAccount(database, userId))
    if (!account) throw new AppError('key.invalid')
    return { account, key }
  }
}

/** Returns the channel with the model that its vendor was asked for, whatever the channel calls by this name now. */
function channelThen({ channel, upstreamModel }: TaskAccount, called: string): TaskAccount['channel'] {
  const { modelPrefix } = channel
  const model = called.startsWith(modelPrefix) ? called.slice(modelPrefix.length) : called
  if ((channel.modelMapping.get(model) ?? model) === upstreamModel) return channel
  const modelMapping = new Map(channel.modelMapping)
  // Prices are recorded under no other name where there was none.
  if (upstreamModel === model) modelMapping.delete(model)
  else modelMapping.set(model, upstreamModel)
  return { ...channel, modelMapping }
}

/** A line in the vendor's terms. */
interface WrittenLine {
  /** JSON. */
  readonly body: string
  readonly path: string
  readonly headers: Headers
}

/** What became of a line at a vendor. */
export type VendorLineOutcome =
  | { readonly kind: 'ended'; readonly end: LineEnd; readonly charge: Charge | null }
  | { readonly kind: 'again'; readonly isAccountRefused: boolean }

interface LineAtVendor {
  readonly context: CallContext
  readonly choice: Choice
  readonly prepared: Prepared
  readonly noted: NotedLedger
  readonly request: LineRequest
}

const noHeaders = new Headers()
const noSlot = { release() {} }
/** The results of a batch say nothing of how the channel is doing now. */
const silent: Served<OpenResponse>['reporter'] = {
  isProbe: false,
  isSteady: true,
  recordSuccess() {},
  recordFailure() {},
  endedSilently() {},
}
