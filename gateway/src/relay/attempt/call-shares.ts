import { dialects, type JsonObject } from '@tollgate/dialects'

import { parseInTurns, readResponseObject } from '../../channels/calls/parse-response-object'
import type { AttemptClocks } from '../../channels/calls/clocks'
import type { Prepared } from '../../channels/calls/prepare'
import {
  authorizeRequest,
  callUpstream,
  isSuccess,
  readResponseBody,
  refusalOf,
  renewCredentials,
} from '../../channels/calls/upstream-call'
import { sentSecrets } from '../../channels/calls/sent-secrets'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { Choice } from '../../channels/catalog/catalog'
import type { ByteReader, Bytes, UpstreamResponse } from '@tollgate/http-client'
import type { CallContext } from '../call-context'

/** Calls in flight at the same time for one request. */
const maxInFlight = 4

/** The attempt that the calls are part of. */
interface SharedAttempt {
  readonly context: CallContext
  readonly choice: Choice
  readonly clocks: AttemptClocks
  /** Headers that continue the client's trace. */
  readonly traced: Readonly<Record<string, string>> | null | undefined
}

/** What calls that draw together have drawn. */
export interface JoinedResponse extends UpstreamResponse {
  /** What is missing, as short English phrases. */
  readonly leftOut: readonly string[]
}

/** What one of the calls has drawn. */
interface Share extends Pick<UpstreamResponse, 'headers'> {
  readonly body: JsonObject
}

/**
 * Makes calls that do together what the client asks for, a few at a time: as many as the channel has free slots. Resolves with what they
 * respond as one response. After a failure, or when the client has left, no further call begins; those in flight end as any call does.
 * @throws UpstreamError of the first failure when none has drawn anything, or when one of those that embed has failed; AppError when the
 * gateway stops.
 */
export async function callShares(
  attempt: SharedAttempt,
  { description, shares = [] }: Prepared,
): Promise<JoinedResponse> {
  const { context, choice } = attempt
  const { slots } = context.deps.ctx.health
  const drawn: (Share | undefined)[] = []
  const failures: unknown[] = []
  let next = 0
  const work = async () => {
    while (failures.length === 0 && !context.departure.isGone) {
      const at = next++
      const prepare = shares[at]
      if (!prepare) return
      try {
        drawn[at] = await draw(attempt, prepare())
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const more = async () => {
    const slot = slots.enterNow(choice.channel)
    await (slot && work().finally(() => slot.release()))
  }
  const helpers = Array.from({ length: Math.min(maxInFlight, shares.length) - 1 }, more)
  await Promise.all([work(), ...helpers])
  const served = drawn.filter((share) => share !== undefined)
  const [first] = served
  const unusual = failures.find((error) => !(error instanceof UpstreamError))
  const missing = shares.length - served.length
  // Images that are missing can be named; the vectors that remain would belong to other inputs.
  const isUseless = missing > 0 && description.maxInputs !== undefined
  if (unusual !== undefined || !first || isUseless) throw unusual ?? failures[0] ?? leftEarly()
  const json = dialects[description.dialect].joinAnswers?.(served.map(({ body }) => body)) ?? first.body
  if (missing > 0) context.deps.ctx.log.warn({ error: failures[0], missing }, 'some images of a call were not drawn')
  return {
    status: 200,
    headers: first.headers,
    body: new WholeBody(Buffer.from(JSON.stringify(json))),
    leftOut: missing === 0 ? [] : [`${missing} of ${shares.length} calls for images, which failed`],
  }
}

const leftEarly = () => new UpstreamError({ fault: 'abandoned', status: 499, message: 'The client left' })

/** Makes one of the calls, again where only a token was refused. */
async function draw(attempt: SharedAttempt, share: Prepared): Promise<Share> {
  try {
    return await drawOnce(attempt, share)
  } catch (error) {
    if (!renewCredentials(error, share, attempt.context.deps.ctx.clock.now())) throw error
    return await drawOnce(attempt, share)
  }
}

async function drawOnce(
  { context, choice: { channel }, clocks, traced }: SharedAttempt,
  share: Prepared,
): Promise<Share> {
  const { description } = share
  const { ctx } = context.deps
  let { request } = share
  try {
    request = await authorizeRequest(ctx, share, clocks)
    const sent = traced ? { ...request, headers: { ...request.headers, ...traced } } : request
    const response = await callUpstream(ctx, sent, clocks)
    if (!isSuccess(response)) throw await refusalOf(response, description.dialect, channel, clocks, ctx.clock)
    const bytes = await readResponseBody(response, clocks, description)
    context.body.room?.hold(bytes.byteLength)
    const body = await parseInTurns(bytes)
    readResponseObject(body, description)
    return { body, headers: response.headers }
  } catch (error) {
    throw error instanceof UpstreamError ? error.withSecrets(...sentSecrets(request)) : error
  }
}

/** Reads bytes that are there already, at once. */
class WholeBody implements ByteReader<Bytes> {
  #isRead = false

  constructor(private readonly bytes: Uint8Array<ArrayBuffer>) {}

  async read(): ReturnType<ByteReader<Bytes>['read']> {
    if (this.#isRead) return { done: true }
    this.#isRead = true
    return { done: false, value: this.bytes }
  }

  async cancel(): Promise<void> {}
}
