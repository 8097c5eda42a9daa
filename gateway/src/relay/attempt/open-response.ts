import {
  dialects,
  finishSteps,
  firstRound,
  isAnswerWithheld,
  isStreamWithheld,
  type SearchProgress,
  type SearchRound,
  type StreamTap,
} from '@tollgate/dialects'

import type { Choice } from '../../channels/catalog/catalog'
import type { UpstreamResponse } from '@tollgate/http-client'
import { chunkChanges, responseOptions } from '../delivery/response-changes'
import {
  createMalformedError,
  isShort,
  parseObject,
  createWithheldError,
  parseInTurns,
  passingBytes,
  readResponseObject,
  responseLimits,
  refuseEmpty,
  type EmptyResponsePolicy,
} from '../../channels/calls/parse-response-object'
import { classifyFailure } from '../../channels/calls/classify-failure'
import { startClocks, type AttemptClocks } from '../../channels/calls/clocks'
import { modelName } from '../../channels/catalog/channel-keys'
import type { Health } from '../../channels/health/health'
import { divisionOf, withShares } from '../../channels/calls/shares'
import { callShares } from './call-shares'
import {
  holdLimits,
  openingOf,
  type HoldLimits,
  unframe,
  SlicedReader,
  type BytesResponse,
  type OpenResponse,
  type StreamResponse,
  type WholeResponse,
} from './stream-opening'
import type { Lesson, RequestedCall } from '../../channels/calls/requested-call'
import { blamesOthers, isMissing, lessonOf, remember, taught } from '../../channels/calls/read-lesson'
import { prepare, prepareInSteps, type Prepared } from '../../channels/calls/prepare'
import {
  authorizeRequest,
  callUpstream,
  isSuccess,
  readResponseBody,
  refusalOf,
  renewCredentials,
} from '../../channels/calls/upstream-call'
import { readOnMs, stopWhenLeft } from './disconnect'
import type { CallContext } from '../call-context'
import { sentSecrets } from '../../channels/calls/sent-secrets'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import type { ObjectAccess } from '../objects/object-access'
import { keepsResponse, turnBodyFor } from '../turns/open-turn'
import type { CallView } from '../admission/call-view'
import { openBytes } from './open-bytes'
import { readWhole, SearchedStream, SearchRounds } from './searched-response'
import { searchesItself } from '../admission/searches'
import { inTurns } from '../../platform/time/timers'

/**
 * Makes one attempt, up to the point where another channel can still take over. Resolves with the whole response, or with a stream that
 * has produced content.
 * @throws UpstreamError when another channel may do better; AppError when no channel can.
 */
export function openResponse(context: CallContext, choice: Choice): Promise<OpenResponse> {
  const startedAt = context.deps.ctx.clock.monotonic()
  const steps = preparedFor(context, choice)
  if (context.body.text.length <= shortLength) return open(context, choice, finishSteps(steps), startedAt)
  return inTurns(steps).then((unsigned) => open(context, choice, unsigned, startedAt))
}

/** A longer body may have so much structure that it is written in several turns of the event loop. */
const shortLength = 256 * 1024

function open(context: CallContext, choice: Choice, unsigned: Prepared, startedAt: number): Promise<OpenResponse> {
  return unsigned.renew === undefined
    ? openPrepared(context, choice, unsigned, startedAt)
    : openRenewing(context, choice, unsigned, startedAt)
}

/** Makes the attempt once more where its token is refused and there may be another. */
async function openRenewing(
  context: CallContext,
  choice: Choice,
  unsigned: Prepared,
  startedAt: number,
): Promise<OpenResponse> {
  const { clock } = context.deps.ctx
  try {
    return await openPrepared(context, choice, unsigned, startedAt)
  } catch (error) {
    if (!renewCredentials(error, unsigned, clock.now())) throw error
    return await openPrepared(context, choice, unsigned, clock.monotonic())
  }
}

/** Returns the call as this channel wants it, as several where its vendor draws or embeds less in one. */
function* preparedFor(context: CallContext, choice: Choice): Generator<undefined, Prepared, undefined> {
  const { catalog } = context.call
  const requested = requestedCall(context, choice)
  const written = yield* prepareInSteps(requested, choice, catalog)
  const prepared =
    context.quote.searchPrice === null || searchesItself(written)
      ? written
      : yield* prepareInSteps({ ...requested, search: firstRound }, choice, catalog)
  const division = divisionOf(prepared, requested, context.view.choices)
  return division === null
    ? prepared
    : withShares(prepared, requested, division, (share) => prepare(share, choice, catalog))
}

async function openPrepared(
  context: CallContext,
  choice: Choice,
  unsigned: Prepared,
  startedAt: number,
  learned: Lesson = {},
): Promise<OpenResponse> {
  const { call, view, deps } = context
  const { ctx } = deps
  const clocks = clocksOf(context, choice)
  using _ = stopWhenLeft(context.departure, clocks, ctx.timers, () => readOnMs(context, choice.channel, null))
  let prepared = unsigned
  try {
    const traced = call.trace?.attemptHeaders()
    if (unsigned.shares) {
      context.timing.recordStage('prepare', startedAt)
      const response = await callShares({ context, choice, clocks, traced }, unsigned)
      prepared = { ...unsigned, leftOut: [...(unsigned.leftOut ?? []), ...response.leftOut] }
      return await openers[kindOf(view, prepared)]({ context, choice, prepared, response, clocks })
    }
    const request = unsigned.authorize ? await authorizeRequest(ctx, unsigned, clocks) : unsigned.request
    if (traced || request !== unsigned.request)
      prepared = { ...unsigned, request: traced ? { ...request, headers: { ...request.headers, ...traced } } : request }
    context.timing.recordStage('prepare', startedAt)
    const response = await callUpstream(ctx, prepared.request, clocks)
    if (!isSuccess(response))
      throw await refusalOf(response, prepared.description.dialect, choice.channel, clocks, ctx.clock)
    const started = { context, choice, prepared, response, clocks }
    const round = prepared.translated?.round
    return round ? await openSearched(started, round) : await openers[kindOf(view, prepared)](started)
  } catch (cause) {
    const error = context.departure.errorOf(cause, clocks.reason)
    // The rest of the response is not wanted; its connection must not wait for it.
    clocks.stop('client')
    if (!(error instanceof UpstreamError)) throw error
    const masked = error.withSecrets(choice.key.value, ...sentSecrets(prepared.request))
    const isOfClient = choice.ownLogin && classifyFailure(masked, call.catalog.options) === 'key'
    const refusal = isOfClient ? masked.ofClient() : masked
    const lesson = lessonOf(refusal, unsigned, requestedForm(context), learned)
    if (lesson === null) throw refusal
    return await openAsTaught(context, { choice, unsigned }, refusal, { ...learned, ...lesson })
  }
}

/** Makes the attempt as the upstream said, and remembers it where that serves. @throws what the attempt throws, or the refusal. */
async function openAsTaught(
  context: CallContext,
  { choice, unsigned: refused }: { readonly choice: Choice; readonly unsigned: Prepared },
  refusal: UpstreamError,
  lesson: Lesson,
): Promise<OpenResponse> {
  const { clock, health } = context.deps.ctx
  const name = modelName(choice.channel.id, choice.model)
  const requested = {
    ...requestedCall(context, choice),
    lesson: { ...health.lessons.get(name), ...lesson },
    ...(refused.translated?.round && { search: firstRound }),
  }
  const unsigned = taught(requested, choice, context.call.catalog, lesson)
  if (!unsigned) throw refusal
  try {
    const opened = await openPrepared(context, choice, unsigned, clock.monotonic(), lesson)
    remember(health.lessons, name, lesson)
    return opened
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (blamesOthers(error, unsigned, requestedForm(context), lesson)) remember(health.lessons, name, lesson)
    // What fails without its reasoning has failed for its reasoning.
    throw isMissing(error) || (lesson.withoutReasoning && error.status === 400) ? refusal : error
  }
}

const requestedForm = ({ call, view }: CallContext): Pick<RequestedCall, 'isStream' | 'dialect' | 'mode'> => ({
  isStream: view.isStream,
  dialect: call.dialect,
  mode: call.endpoint.mode,
})

/** Returns what is requested of the channel that is chosen. */
export const requestedCall = (
  { call, view, objects, turn, body, maxTokens, quote: { requestedServiceTier, serviceTier }, deps }: CallContext,
  choice: Choice,
): RequestedCall => ({
  mode: call.endpoint.mode,
  dialect: call.dialect,
  pathContext: call.pathContext,
  isStream: view.isStream,
  body: bodyFor(choice, turn ? turnBodyFor(turn, choice, body, call.catalog) : body, objects),
  path: call.path + call.query,
  isCompaction: call.endpoint.kind === 'compact',
  headers: call.request.headers,
  maxTokens,
  withoutServiceTier: requestedServiceTier !== null && serviceTier === null,
  lesson: knownLesson(deps.ctx.health, choice),
})

const bodyFor = (choice: Choice, body: ParsedBody, objects: ObjectAccess | null): ParsedBody =>
  objects ? objects.bodyFor(choice, body) : body

const knownLesson = ({ lessons }: Health, { channel, model }: Choice): Lesson | undefined =>
  lessons.isEmpty ? undefined : lessons.get(modelName(channel.id, model))

function clocksOf(
  { call, departure, view, deps: { ctx, inFlight } }: CallContext,
  { channel: { setting } }: Choice,
): AttemptClocks {
  const { firstByteTimeoutMs, firstByteTimeoutWholeMs, streamIdleTimeoutMs, requestTimeoutMs } = ctx.config
  const ownSeconds = view.isStream ? setting.first_byte_timeout : setting.first_byte_timeout_whole
  const usualMs = view.isStream ? firstByteTimeoutMs : firstByteTimeoutWholeMs
  const spentMs = ctx.clock.monotonic() - call.startedAt
  const limits = {
    // A response in one piece begins when it is ready; filler bytes before it count as a sign of life.
    firstByteMs: ownSeconds === undefined ? usualMs : ownSeconds * 1000,
    idleMs: streamIdleTimeoutMs,
    totalMs: Math.max(requestTimeoutMs - spentMs, 1),
  }
  return startClocks(ctx, limits, inFlight.upstreams, departure)
}

/** An attempt whose response has begun. */
interface StartedResponse {
  readonly context: CallContext
  readonly choice: Choice
  readonly prepared: Prepared
  readonly response: UpstreamResponse
  readonly clocks: AttemptClocks
}

/** Opens the answer of a model whose searches are run here. */
async function openSearched(started: StartedResponse, round: SearchRound): Promise<OpenResponse> {
  const { context, choice, prepared, response, clocks } = started
  const requested = requestedCall(context, choice)
  const prepareRound = (search: SearchProgress) => prepare({ ...requested, search }, choice, context.call.catalog)
  const rounds = new SearchRounds({ ...started, round, prepareRound })
  const opened = { prepared, clocks, headers: response.headers, searched: rounds }
  if (context.view.isStream) {
    const { description, translated } = prepared
    const reader = new SearchedStream(rounds)
    const tap = translated?.createTap?.(responseOptions(context, choice.channel))
    if (!tap) throw createMalformedError('The stream has no form')
    // A search is run and charged, so its client gets what follows.
    const limits = { ...limitsOf(context, description), hasStartedWork: () => rounds.hasSearched }
    const opening = await openingOf({ reader, tap, clocks, description }, limits, context.deps.ctx.timers)
    return { ...opened, kind: 'stream', tap, firstByteMs: arrivedAfterMs(context), ...opening }
  }
  const { events, view } = await readWhole(rounds, context.deps.ctx.log)
  const firstByteMs = arrivedAfterMs(context)
  if (!rounds.hasSearched) refuseEmpty(view, emptyResponsePolicyOf(context))
  clocks.finish()
  const json = { events }
  const translated = prepared.translated?.read(json)
  return { ...opened, kind: 'whole', isProven: true, firstByteMs, bytes: new Uint8Array(), json, view, translated }
}

const openers: Readonly<Record<OpenResponse['kind'], (started: StartedResponse) => Promise<OpenResponse>>> = {
  whole: openWhole,
  stream: openStream,
  bytes: openRaw,
}

function kindOf({ isStream, rawType }: CallView, { translated }: Prepared): OpenResponse['kind'] {
  if (translated?.raw) return 'whole'
  if (isStream) return 'stream'
  return rawType === undefined ? 'whole' : 'bytes'
}

async function openRaw({ context, prepared, response, clocks }: StartedResponse): Promise<BytesResponse> {
  const { rawType = '' } = context.view
  const opening = await openBytes(response, rawType, prepared.description, clocks)
  return {
    kind: 'bytes',
    prepared,
    clocks,
    headers: response.headers,
    firstByteMs: arrivedAfterMs(context),
    ...opening,
  }
}

/** Shorter answers are not counted. With what is parsed of it an answer takes twice its bytes. */
const countedBytes = 64 * 1024

async function openWhole({ context, prepared, response, clocks }: StartedResponse): Promise<WholeResponse> {
  const bytes = await readResponseBody(response, clocks, prepared.description)
  if (bytes.byteLength > countedBytes) context.body.room?.hold(bytes.byteLength * 2)
  const firstByteMs = arrivedAfterMs(context)
  const { translated, description } = prepared
  const shown = translated ? bytes : passingBytes(bytes, description)
  const json = isShort(shown)
    ? parseObject(shown)
    : await parseInTurns(shown, responseLimits(description, translated !== undefined))
  const view = readResponseObject(json, description)
  if (goesOnIfWithheld(context) && isAnswerWithheld(description.dialect, json)) throw createWithheldError()
  refuseEmpty(view, emptyResponsePolicyOf(context))
  clocks.finish()
  const read = translated?.raw ? undefined : translated?.read(json)
  const { headers } = response
  return { kind: 'whole', isProven: true, prepared, clocks, headers, firstByteMs, bytes, json, view, translated: read }
}

async function openStream({ context, choice, prepared, response, clocks }: StartedResponse): Promise<StreamResponse> {
  const { description } = prepared
  const { includeUsage } = context.view
  if (!description.createUnframer) await refuseWhole(response, prepared, clocks)
  const reader = new SlicedReader(unframe(response.body, description.createUnframer?.()))
  const tap =
    prepared.translated?.createTap?.(responseOptions(context, choice.channel)) ??
    dialects[description.dialect].createTap({
      swallowUsage: !includeUsage,
      addUsage: includeUsage,
      keepsAnswer: keepsResponse(context.turn),
      changes: chunkChanges({
        setting: choice.channel.setting,
        dialect: description.dialect,
        requestWithoutUsage: includeUsage ? null : context.call.request,
      }),
    })
  const started = { kind: 'stream', prepared, clocks, headers: response.headers, tap } as const
  try {
    const opening = await openingOf(
      { reader, tap, clocks, description },
      limitsOf(context, description),
      context.deps.ctx.timers,
    )
    return { ...started, firstByteMs: arrivedAfterMs(context), ...opening }
  } catch (error) {
    reader.cancel().catch(() => {})
    // The client left before the first content, but the prompt was billed already.
    if (clocks.reason === 'client' && hasPrompt(tap))
      return { ...started, firstByteMs: arrivedAfterMs(context), isProven: false, reader, first: [] }
    throw error
  }
}

const hasPrompt = ({ usage }: StreamTap): boolean => usage !== null && usage.promptTokens > 0

const limitsOf = (context: CallContext, { dialect }: Prepared['description']): HoldLimits => ({
  ...holdLimits,
  emptyResponsePolicy: emptyResponsePolicyOf(context),
  isWithheld: goesOnIfWithheld(context) ? (events) => isStreamWithheld(dialect, events) : undefined,
})

/** Whether a call whose answer is withheld goes on with another model. */
const goesOnIfWithheld = ({ view: { modelChoice }, call, objects }: CallContext): boolean =>
  modelChoice !== undefined &&
  modelChoice.next.length > 0 &&
  modelChoice.on.has('refusal') &&
  call.endpoint.mode === 'chat' &&
  objects === null

const emptyResponsePolicyOf = ({ call: { catalog, endpoint } }: CallContext): EmptyResponsePolicy =>
  endpoint.mode === 'chat' ? catalog.options.EmptyAnswers : 'none'

/** A whole response where a stream was requested: most often an error in disguise, never something to forward. */
async function refuseWhole(response: UpstreamResponse, prepared: Prepared, clocks: AttemptClocks): Promise<void> {
  const type = response.headers.get('content-type') ?? ''
  if (type === '' || type.includes('event-stream') || !type.includes('json')) return
  readResponseObject(await parseInTurns(await readResponseBody(response, clocks)), prepared.description)
  throw createMalformedError('The response is not a stream')
}

/** Returns the milliseconds from the call's arrival to the first byte. */
function arrivedAfterMs({ call, deps: { ctx } }: CallContext): number {
  const milliseconds = ctx.clock.monotonic() - call.startedAt
  ctx.metrics.firstByte(milliseconds)
  return Math.round(milliseconds)
}
