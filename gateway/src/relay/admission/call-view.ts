import type { ChainReason, ModelReason } from '@tollgate/contract'
import {
  DialectError,
  dialects,
  possibleUse,
  promptMedia,
  promptReach,
  spokenUse,
  type JsonObject,
  type PossibleUse,
  type PromptReach,
  type PromptShape,
  type RequestView,
} from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { measureMedia, type MeasuredMedia } from '../../billing/metering/media/media-tokens'
import { maxTranscriptTokens } from '../../billing/metering/audio-usage'
import { estimatePromptTokens } from '../../billing/metering/tokens'
import type { ModelCall } from '../call'
import type { ParsedBody, RecordingLength } from '../../channels/calls/parsed-body'

/** How a call came to its model, where that is not only what its caller names. */
export interface ModelChoice {
  /** The model or alias that the caller named. */
  readonly requested: string
  /** Why another model serves; null: it is the one that was named. */
  readonly reason: ModelReason | null
  /** The models to go on with, in order. */
  readonly next: readonly string[]
  /** The reasons for which the call goes on. */
  readonly on: ReadonlySet<ChainReason>
}

/** What the stages after parsing need to know about a request. */
export interface CallView extends RequestView {
  readonly prompt: PromptShape
  /** Estimated from the length of the text. */
  readonly promptTokens: number
  /** Length of the recording in the request; absent where there is none. */
  readonly recording?: RecordingLength
  /** Tokens of an earlier response on which this one builds, which `promptTokens` has; absent: there is none, or its length is not known. */
  readonly previousTokens?: number
  /** What bounds the length of the prompt. */
  readonly promptReach: PromptReach
  /** Billable use besides text that the request may cause. */
  readonly possible: PossibleUse
  /** Null where the prompt contains neither images nor audio. */
  readonly media: MeasuredMedia | null
  /** It is a line of a batch, which is sold at a price of its own: one that is made here, or by the vendor in a batch of its own. */
  readonly batchedAt?: 'here' | 'vendor'
  /** How the call came to its model. Absent: it is the one that its caller names, and there is no other to go on with. */
  readonly modelChoice?: ModelChoice
}

/**
 * Validates and reads a request in its dialect.
 * @throws AppError `request.model_missing`; DialectError for everything else that the dialect does not allow.
 */
export function viewOf(
  { dialect: id, pathContext }: Pick<ModelCall, 'dialect' | 'pathContext'>,
  { text, json: body, recording }: Pick<ParsedBody, 'text' | 'json' | 'recording'>,
): CallView {
  const dialect = dialects[id]
  try {
    const view = dialect.readRequest(body, pathContext)
    const prompt = dialect.readPrompt(body)
    // Vendors that draw one image in a call read the prompt again for each.
    const readings = view.image ? view.choices : 1
    return Object.assign(view, {
      prompt,
      promptTokens: estimatePromptTokens(prompt) * readings,
      promptReach: promptReach(text, body, prompt.files),
      possible: view.spokenCharacters === undefined ? possibleUse(text, body) : spokenUse,
      media: hasMedia(prompt) ? mediaOf(body, recording, readings) : null,
      includeUsage: pathContext.includesUsage ? true : view.includeUsage,
      ...(recording && { recording, maxOutputTokens: maxTranscriptTokens(recording.seconds) }),
    })
  } catch (error) {
    if (error instanceof DialectError && error.param === 'model' && error.code === 'missing_required_parameter') {
      throw new AppError('request.model_missing', { cause: error })
    }
    throw error
  }
}

const mediaOf = (body: JsonObject, recording: RecordingLength | undefined, readings: number): MeasuredMedia =>
  recording ? { images: [], seconds: [recording.seconds] } : repeatMedia(measureMedia(promptMedia(body)), readings)

const repeatMedia = (media: MeasuredMedia, times: number): MeasuredMedia =>
  times === 1 ? media : { ...media, images: Array.from({ length: times }, () => media.images).flat() }

const hasMedia = ({ images, lowDetailImages, audios }: PromptShape): boolean => images + lowDetailImages + audios > 0
