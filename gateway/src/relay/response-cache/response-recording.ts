import { isUtf8 } from 'node:buffer'

import { alwaysSearches } from '@tollgate/dialects'

import type { Metered } from '../../billing/metering/meter'
import { leftObjects } from '../objects/record-objects'
import { droppedParts } from '../delivery/dropped'
import type { StreamEnding } from '../delivery/deliver-stream'
import type { OpenResponse } from '../attempt/stream-opening'
import type { Served } from '../stages/attempt'
import type { CallContext } from '../call-context'
import { isApplication, type Caching } from './caching'
import { printOf, type StoredFacts } from './stored-facts'

/** What was charged for a response, when that was known. */
interface Charged {
  readonly served: Served<OpenResponse>
  readonly metered: Metered
}

/** Records a response on its way to its client, and keeps it once it ended whole. */
export class ResponseRecording {
  readonly #parts: Uint8Array[] = []
  #size = 0
  #isTooLong = false
  #charged: Charged | null = null

  constructor(
    private readonly context: CallContext,
    private readonly caching: Caching,
    private readonly key: string,
  ) {}

  /** Called when a response was charged. */
  recordCharge(served: Served<OpenResponse>, ending: StreamEnding, metered: Metered): void {
    if (ending === 'complete') this.#charged = { served, metered }
  }

  /** Records bytes that the client got. They are copied: their buffer may be used again. */
  add(bytes: Uint8Array): void {
    if (this.#isTooLong) return
    this.#size += bytes.byteLength
    this.#isTooLong = this.#size > this.context.call.catalog.options.ResponseCacheKilobytes * 1024
    if (this.#isTooLong) this.#parts.length = 0
    else this.#parts.push(bytes.slice())
  }

  /** Keeps the response, after the client got the last of it. Whatever fails here concerns no call. */
  end(contentType: string): void {
    if (this.#charged === null || this.#isTooLong) return
    const { context, caching, key } = this
    const { call, deps } = context
    const { responses, metrics, log } = deps.ctx
    const body = Buffer.concat(this.#parts)
    if (!isWholeResponse(body) || !this.#isRepeatable(this.#charged)) return
    const facts = this.#factsOf(this.#charged, contentType)
    const maxBytes = call.catalog.options.ResponseCacheMegabytes * 1024 * 1024
    responses.keep(key, { facts: JSON.stringify(facts), body }, { ttlMs: caching.ttlMs, maxBytes }).then(
      () => metrics.responseCache.countStored(),
      (error: unknown) => log.warn({ error }, 'a response could not be stored'),
    )
  }

  /** Returns whether the response follows from the request, and names nothing that may be gone or is another user's. */
  #isRepeatable({ served: { response }, metered: { usage } }: Charged): boolean {
    const { caching, context } = this
    if (response.kind === 'bytes') return false
    const view = response.kind === 'whole' ? response.view : response.tap
    const isBare = context.call.endpoint.mode === 'chat' && view.isEmpty && view.toolCalls === 0
    const images = (view.images?.() ?? 0) + (usage.details?.image_count ?? 0)
    const hasRunTools = Object.values(usage.toolCalls).some((count: number) => count > 0)
    const isShared = context.call.catalog.options.ResponseCacheShared
    const left = leftObjects(context, response)
    return (
      !isBare &&
      // It has an id of its own, by which it is read again.
      context.turn?.isStored !== true &&
      images === 0 &&
      (caching.withTools || !hasRunTools) &&
      (caching.withTools || !alwaysSearches(response.prepared.upstreamModel)) &&
      !isApplication(response.prepared.description.dialect) &&
      // What an account sealed is its user's, who brings it back.
      left.every(({ kind }) => kind === 'sealed' && !isShared)
    )
  }

  #factsOf({ served: { response, choice }, metered }: Charged, contentType: string): StoredFacts {
    const { context } = this
    const { prepared } = response
    return {
      keptAt: context.deps.ctx.clock.now(),
      contentType,
      isStream: context.view.isStream,
      channelId: choice.channel.id,
      channelPrint: printOf(choice.channel, prepared.upstreamModel, context.call),
      dialect: prepared.description.dialect,
      upstreamModel: prepared.upstreamModel,
      serviceTier: prepared.serviceTier,
      usage: metered.usage,
      ...(metered.estimated !== undefined && { estimated: metered.estimated }),
      dropped: droppedParts(context, response),
    }
  }
}

/** Why a response ended, in the words of all dialects. Inside a JSON string these quotes are escaped. */
const endReason = /"(?:finish_reason|stop_reason|finishReason|done_reason)"\s*:\s*"([^"]{0,32})/g

/** Reasons by which a response ended by itself. */
const wholeReasons: ReadonlySet<string> = new Set([
  'stop',
  'end_turn',
  'stop_sequence',
  'tool_calls',
  'tool_call',
  'tool_use',
  'function_call',
  'complete',
])

/** OpenAI's responses say it of the whole. */
const unfinished = /"status"\s*:\s*"(?:incomplete|failed|cancelled)"/

/** Returns whether a response, in one piece or as a stream, ended by itself: no limit cut it short, and no filter. */
export function isWholeResponse(body: Buffer): boolean {
  if (!isUtf8(body)) return false
  const text = body.toString()
  if (unfinished.test(text)) return false
  for (const [, reason = ''] of text.matchAll(endReason)) {
    // Some name none until the end.
    if (reason !== '' && !wholeReasons.has(reason.toLowerCase())) return false
  }
  return true
}
