import {
  alwaysSearches,
  isObject,
  noUsage,
  possibleUse,
  refersBeyondBody,
  toolLimits,
  type JsonObject,
  type Mode,
  type PromptShape,
  type ToolCalls,
} from '@tollgate/dialects'
import { modelOf } from '@tollgate/models'

import type { Choice } from '../../channels/catalog/catalog'
import { transcriptionUsage, spokenUsage } from '../../billing/metering/audio-usage'
import { measuredSeconds } from '../../billing/metering/media/recordings'
import { countsImages, drawnUsage } from '../../billing/metering/drawn-usage'
import { meter, meterNow, type Metered } from '../../billing/metering/meter'
import { byteLengthOf } from '@tollgate/http-client'
import type { UsageEvidence } from '../../billing/metering/usage-bounds'
import { parsedJson } from '../../platform/text/parsed-json'
import type { StreamEnding } from '../delivery/deliver-stream'
import type { Served } from './attempt'
import type { OpenResponse } from '../attempt/stream-opening'
import type { CallView } from '../admission/call-view'
import type { CallContext } from '../call-context'
import { servingPrice } from '../pricing/call-price'

/** Returns what is known of a response, whole or streamed. */
export const responseViewOf = (response: OpenResponse) => (response.kind === 'whole' ? response.view : response.tap)

/** Returns what a delivered response used: what its upstream reported, and what of it had to be counted here. */
export async function meterResponse(
  context: CallContext,
  { response, choice }: Served<OpenResponse>,
  ending: StreamEnding,
): Promise<Metered> {
  const view = responseViewOf(response)
  // The upstream broke off before any content: the client got nothing for its money.
  const isReported = view.usage !== null && view.usage.unreported === undefined
  const isFirstRound = (response.searched?.rounds ?? 1) === 1
  if (ending === 'broken' && isFirstRound && view.isEmpty && !isReported) return unmetered
  const input = {
    responseView: view,
    prompt: promptWithoutRecording(context.view),
    previousTokens: previousTokens(context.view, response),
    model: context.quote.model,
    evidence: () => evidenceOf(context, response),
  }
  const metered = meterNow(input) ?? (await meter(input))
  const { mode } = context.call.endpoint
  const price = mode === 'chat' ? context.quote.prices.priceAt(choice.channel) : null
  if (price && countsImages(price) && response.kind !== 'bytes')
    return drawnUsage(metered, response.kind === 'whole' ? response.view : response.tap, price)
  return usages[mode]?.(context, choice, response, metered) ?? metered
}

/** Where searches are run here, each round reads the prompt again. */
const previousTokens = ({ previousTokens: before = 0, promptTokens }: CallView, { searched }: OpenResponse): number =>
  before + (searched ? promptTokens * (searched.rounds - 1) : 0)

/** A recording is counted by its length, in `heard`. */
const promptWithoutRecording = ({ prompt, recording }: CallView): PromptShape =>
  recording ? { ...prompt, audios: 0 } : prompt

type AudioUsage = (context: CallContext, choice: Choice, response: OpenResponse, metered: Metered) => Promise<Metered>

const entryOf = (context: CallContext, choice: Choice, { prepared }: OpenResponse) =>
  servingPrice(context, choice, prepared).price.entry

const heard: AudioUsage = async (context, choice, response, metered) => {
  const { recording = { seconds: 0, isMeasured: false } } = context.view
  const hintTokens = context.view.promptTokens
  return transcriptionUsage(metered, { entry: entryOf(context, choice, response), ...recording, hintTokens })
}

const measureSpeech: AudioUsage = (context, choice, response, metered) =>
  spokenUsage(metered, {
    entry: entryOf(context, choice, response),
    characters: context.view.spokenCharacters ?? 0,
    seconds: () => spokenSeconds(context, response),
  })

/** Modes whose usage does not follow from text alone. */
const usages: Partial<Record<Mode, AudioUsage>> = { speech: measureSpeech, transcription: heard, translation: heard }

/** PCM has no header: 24,000 samples of two bytes a second. */
const plainBytesPerSecond = 48_000

/** Resolves with the duration of the speech received, or with an estimate from its text where it cannot be measured. */
async function spokenSeconds({ view }: CallContext, response: OpenResponse): Promise<number> {
  if (response.kind !== 'bytes') return usualSeconds(view.spokenCharacters ?? 0)
  const { tap, contentType } = response
  if (contentType === 'audio/pcm') return tap.size / plainBytesPerSecond
  return (await measuredSeconds({ bytes: tap.beginning(), size: tap.size })) ?? usualSeconds(view.spokenCharacters ?? 0)
}

const charactersPerSecond = 12
const usualSeconds = (characters: number): number => characters / charactersPerSecond

const unmetered: Metered = { usage: noUsage, estimated: 'all' }

/** Returns what is known of a response so far to judge its reported usage by. */
export function evidenceOf(
  { view: callView, body, quote: { model }, maxTokens }: CallContext,
  response: OpenResponse,
): UsageEvidence {
  const { prompt } = callView
  const media = prompt.images + prompt.lowDetailImages + prompt.audios + prompt.files
  const { request, upstreamModel } = response.prepared
  const { rounds, requestBytes } = response.searched ?? { rounds: 1, requestBytes: byteLengthOf(request.body) }
  return {
    requestBytes,
    isPromptShown: media === 0 && !refersBeyondBody(body.json),
    promptTokens: callView.promptTokens,
    maxOutputTokens: callView.maxOutputTokens ?? maxTokens,
    choices: callView.choices * rounds,
    textBytes: Buffer.byteLength(responseViewOf(response).completionText()),
    maxToolUses: toolUses(body.json, response.prepared),
    isSpoken: () => callView.possible.isSpoken || possibleUse('', sentBody(response.prepared)).isSpoken,
    images: callView.maxPages ?? callView.choices,
    model: modelOf(upstreamModel) ?? modelOf(model),
  }
}

/** Applications of vendors, which the catalog does not know, may have tools of their own. */
const usesOfApplication = 20

/** Returns how often tools of the vendor can have run: as the client asks, or as the channel's overrides do; some models search by themselves. */
function toolUses(clientBody: JsonObject, prepared: OpenResponse['prepared']): UsageEvidence['maxToolUses'] {
  const { upstreamModel } = prepared
  const limits = toolLimits(clientBody)
  let sent: ToolCalls | null = null
  return (tool) => {
    const limit = limits[tool]
    if (limit !== undefined) return limit
    if (tool === 'webSearch' && alwaysSearches(upstreamModel)) return Infinity
    sent ??= toolLimits(sentBody(prepared))
    return sent[tool] ?? (modelOf(upstreamModel) === null ? usesOfApplication : 0)
  }
}

/** Returns the body as it was sent upstream; empty where it is not JSON. */
function sentBody({ request: { body } }: OpenResponse['prepared']): JsonObject {
  const json = typeof body === 'string' ? parsedJson(body) : null
  return isObject(json) ? json : {}
}
