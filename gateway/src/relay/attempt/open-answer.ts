import { dialects, type StreamTap } from '@tollgate/dialects'

import type { Choice } from '../../channels/choice'
import type { UpstreamAnswer } from '../../upstream/exchange'
import { chunkChanges } from '../delivery/response-changes'
import { answerObject, malformed, readAnswerObject } from '../../channels/calls/answer-object'
import { startClocks, type AttemptClocks } from '../../channels/calls/clocks'
import { inSlices } from './in-slices'
import { prepare, type Prepared } from '../../channels/calls/prepare'
import { refusalOf } from '../../channels/calls/refusal'
import { isDrained } from '../delivery/read-on'
import type { Scene } from '../call-context'
import { sentSecrets } from '../../channels/calls/sent-secrets'
import { answerWish } from '../delivery/response-options'
import { unframed } from './unframed'
import { holdLimits, openingOf, type HoldLimits } from './stream-opening'
import { authorized, callUpstream, isGood, readAnswer } from '../../channels/calls/upstream-call'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { OpenAnswer, StreamAnswer, WholeAnswer } from './opened-answer'

/**
 * Make one attempt, as far as it can be taken back: the whole answer, or a stream until it says something.
 * @throws UpstreamError when another channel may do better; AppError when no channel can.
 */
export async function openAnswer(scene: Scene, choice: Choice): Promise<OpenAnswer> {
  const { call, body, view, parts } = scene
  const startedAt = parts.ctx.clock.monotonic()
  const asked = {
    mode: call.endpoint.mode,
    dialect: call.dialect,
    place: call.place,
    isStream: view.isStream,
    body,
    path: call.path + call.query,
    headers: call.request.headers,
    maxTokens: scene.maxTokens,
    withoutTier: scene.askedTier !== null && scene.quote.tier === null,
  }
  let prepared = prepare(asked, choice, call.catalog)
  const clocks = clocksOf(scene, choice)
  let draining: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    if (!isDrained(choice.channel, view.isStream)) return clocks.stop('client')
    draining = setTimeout(() => clocks.stop('client'), parts.ctx.config.drainTimeoutMs)
  }
  const { signal } = call.request
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  try {
    const traced = call.trace?.attemptHeaders()
    const proven = prepared.authorize ? await authorized(parts.ctx, prepared, clocks) : prepared.request
    const request = traced ? { ...proven, headers: { ...proven.headers, ...traced } } : proven
    if (request !== prepared.request) prepared = { ...prepared, request }
    scene.timing.spent('prepare', startedAt)
    const answer = await callUpstream(parts.ctx, request, clocks)
    if (!isGood(answer))
      throw await refusalOf(answer, prepared.description.dialect, choice.channel, clocks, parts.ctx.clock.now())
    return view.isStream
      ? await openStream(scene, choice, prepared, answer, clocks)
      : await openWhole(scene, prepared, answer, clocks)
  } catch (error) {
    if (error instanceof UpstreamError) error.hide(...sentSecrets(prepared.request))
    // What is left of the answer is not wanted; its connection must not wait for it.
    clocks.stop('client')
    throw error
  } finally {
    signal.removeEventListener('abort', leave)
    clearTimeout(draining)
  }
}

function clocksOf(
  { call, caller, view, parts: { ctx, inFlight } }: Scene,
  { channel: { setting } }: Choice,
): AttemptClocks {
  const { firstByteTimeoutMs, firstByteTimeoutWholeMs, streamIdleTimeoutMs, requestTimeoutMs } = ctx.config
  const ownSeconds = view.isStream ? setting.first_byte_timeout : setting.first_byte_timeout_whole
  const usualMs = view.isStream ? firstByteTimeoutMs : firstByteTimeoutWholeMs
  const spentMs = ctx.clock.monotonic() - call.startedAt
  const limits = {
    // An answer in one piece begins when it is ready; bytes that only show that it will come count as a sign of life.
    firstByteMs: ownSeconds === undefined ? usualMs : ownSeconds * 1000,
    idleMs: streamIdleTimeoutMs,
    totalMs: Math.max(requestTimeoutMs - spentMs, 1),
  }
  return startClocks(ctx.clock, limits, inFlight.upstreams, caller.payer)
}

async function openWhole(
  scene: Scene,
  prepared: Prepared,
  answer: UpstreamAnswer,
  clocks: AttemptClocks,
): Promise<WholeAnswer> {
  const bytes = await readAnswer(answer, clocks)
  const firstByteMs = arrivedAfterMs(scene)
  const json = answerObject(bytes)
  const view = readAnswerObject(json, prepared.description)
  clocks.finish()
  return { kind: 'whole', isProven: true, prepared, clocks, headers: answer.headers, firstByteMs, bytes, json, view }
}

async function openStream(
  scene: Scene,
  choice: Choice,
  prepared: Prepared,
  answer: UpstreamAnswer,
  clocks: AttemptClocks,
): Promise<StreamAnswer> {
  const { description } = prepared
  const { includeUsage } = scene.view
  if (!description.createUnframer) await refuseWhole(answer, prepared, clocks)
  const reader = inSlices(unframed(answer.body, description.createUnframer?.()))
  const tap =
    prepared.translated?.createTap?.(answerWish(scene, choice.channel)) ??
    dialects[description.dialect].createTap({
      swallowUsage: !includeUsage,
      addUsage: includeUsage,
      changes: chunkChanges(choice.channel.setting, description.dialect),
    })
  const begun = { kind: 'stream', prepared, clocks, headers: answer.headers, tap } as const
  try {
    const opening = await openingOf({ reader, tap, clocks, description }, limitsOf(scene))
    return { ...begun, firstByteMs: arrivedAfterMs(scene), ...opening }
  } catch (error) {
    reader.cancel().catch(() => {})
    // The client left before the first word, but what went in was billed already.
    if (clocks.reason === 'client' && hasPrompt(tap))
      return { ...begun, firstByteMs: arrivedAfterMs(scene), isProven: false, reader, first: [] }
    throw error
  }
}

const hasPrompt = ({ usage }: StreamTap): boolean => usage !== null && usage.promptTokens > 0

/** A site that wants its streams to show signs of life does not let them wait for longer than that. */
function limitsOf({ call: { catalog } }: Scene): HoldLimits {
  const { options } = catalog
  if (!options['general_setting.ping_interval_enabled']) return holdLimits
  return { ...holdLimits, ms: Math.min(holdLimits.ms, options['general_setting.ping_interval_seconds'] * 1000) }
}

/** A whole answer where a stream was asked for: most often an error in disguise, never something to forward. */
async function refuseWhole(answer: UpstreamAnswer, prepared: Prepared, clocks: AttemptClocks): Promise<void> {
  const type = answer.headers.get('content-type') ?? ''
  if (type === '' || type.includes('event-stream') || !type.includes('json')) return
  readAnswerObject(answerObject(await readAnswer(answer, clocks)), prepared.description)
  throw malformed('The answer is no stream')
}

/** The first byte is there. */
function arrivedAfterMs({ call, parts: { ctx } }: Scene): number {
  const milliseconds = ctx.clock.monotonic() - call.startedAt
  ctx.metrics.firstByte(milliseconds)
  return Math.round(milliseconds)
}
