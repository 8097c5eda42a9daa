import { noUsage, type ReportedUsage, type Usage } from '@tollgate/dialects'
import type { PriceEntry } from '@tollgate/models'

import type { Metered } from './meter'

/** Tokens that OpenAI counts for a second of input audio. */
const heardTokensPerSecond = 10
/** Tokens that OpenAI counts for a second of generated speech: 1250 a minute. */
const spokenTokensPerSecond = 1250 / 60
/** Prompt tokens for a minute of a recording, where the price is per input token only. */
const tokensPerMinute = 1000

/** Returns whether the price is based on output tokens. */
const isPaidByToken = ({ prices, ratios }: PriceEntry): boolean =>
  [prices.output, prices.audio_out, ratios?.output, ratios?.audio_out].some((price) => price !== undefined)

/** A recording that was transcribed. */
interface Transcribed {
  readonly entry: PriceEntry
  readonly seconds: number
  /** Otherwise `seconds` is an upper bound. */
  readonly isMeasured: boolean
  /** Estimated, of what the request says beside the recording. */
  readonly hintTokens?: number
}

/** Vendors round up, some to the minute, and decoders pad the end. */
const roundingSeconds = 60
/** No vendor counts more tokens for a second of input audio. */
const maxTokensPerSecond = 50

/**
 * Returns the usage of a transcription. What the upstream reported stands, as far as a recording of this length can cause it. Otherwise it is
 * estimated in tokens where the price is based on these, and elsewhere it is the duration of the recording.
 */
export function transcriptionUsage(reported: Metered, transcribed: Transcribed): Metered {
  const metered = possible(reported, transcribed)
  const { entry, seconds, isMeasured } = transcribed
  const { usage, estimated } = metered
  if (estimated === undefined && usage.seconds === undefined) return metered
  const length = Math.ceil(usage.seconds ?? seconds)
  if (usage.seconds === undefined && isPaidByToken(entry)) {
    const audioInputTokens = length * heardTokensPerSecond
    const promptTokens = usage.promptTokens + audioInputTokens
    return { ...metered, usage: { ...usage, promptTokens, audioInputTokens, seconds: length } }
  }
  const promptTokens = Math.ceil((length * tokensPerMinute) / 60)
  const isKnown = usage.seconds !== undefined || isMeasured
  const { estimated: _, ...known } = metered
  return {
    ...known,
    ...(!isKnown && { estimated: 'prompt' as const }),
    usage: { ...noUsage, promptTokens, seconds: length },
  }
}

/** A hint counts at most twice its estimate. */
const hintSlack = 2

/** Returns what was metered without what a recording of at most this many seconds, and its hint, cannot have used. */
function possible(metered: Metered, { seconds: maxSeconds, hintTokens = 0 }: Transcribed): Metered {
  const { usage, capped } = metered
  const maxReported = maxSeconds + roundingSeconds
  const { seconds, audioInputTokens } = usage
  if (seconds !== undefined && seconds > maxReported) {
    const { seconds: _, ...rest } = usage
    return { ...metered, usage: rest, estimated: 'prompt', capped: { ...capped, seconds } }
  }
  const maxAudio = maxReported * maxTokensPerSecond
  const isTextPossible = usage.promptTokens <= maxAudio + maxHintTokens + hintTokens * hintSlack
  if (audioInputTokens <= maxAudio && isTextPossible) return metered
  const promptTokens = isTextPossible ? usage.promptTokens - audioInputTokens : 0
  return {
    usage: { ...usage, promptTokens, audioInputTokens: 0 },
    estimated: metered.estimated ?? 'prompt',
    capped: { ...capped, prompt_tokens: usage.promptTokens },
  }
}

/** Fast speech in a language with many tokens per word. */
const writtenTokensPerSecond = 8
const minTranscriptTokens = 256

/** Returns the most tokens that the transcript of a recording can have. */
export const maxTranscriptTokens = (seconds: number): number =>
  minTranscriptTokens + Math.ceil(seconds * writtenTokensPerSecond)

/** The hint for a transcript, and what a model puts before it. */
const maxHintTokens = 4096

/** What was heard in a session, and its transcript. */
interface Heard extends Pick<Transcribed, 'entry'> {
  /** As the gateway measured it: at most so much was transcribed. */
  readonly seconds: number
  readonly countText: () => Promise<number>
}

/** Resolves with the usage of a transcription in a session: as reported, as far as the audio that was heard can have caused it. */
export async function heardUsage(
  reported: ReportedUsage | null,
  { entry, seconds, countText }: Heard,
): Promise<Metered> {
  const maxSeconds = seconds + roundingSeconds
  const isPossible =
    reported !== null &&
    reported.promptTokens <= maxSeconds * maxTokensPerSecond + maxHintTokens &&
    reported.completionTokens <= maxTranscriptTokens(maxSeconds)
  if (isPossible) return transcriptionUsage({ usage: reported }, { entry, seconds, isMeasured: false })
  const completionTokens = Math.min(await countText(), maxTranscriptTokens(maxSeconds))
  const counts = reported && { prompt_tokens: reported.promptTokens, completion_tokens: reported.completionTokens }
  const usage: Usage = { ...noUsage, completionTokens }
  const metered: Metered = { usage, estimated: 'all', ...(counts && { capped: counts }) }
  return transcriptionUsage(metered, { entry, seconds, isMeasured: false })
}

/** Speech that was generated. */
interface Spoken {
  readonly entry: PriceEntry
  readonly characters: number
  /** Called only where the price is based on tokens and the upstream did not report them. */
  readonly seconds: () => Promise<number>
}

/** Returns the usage of speech: as reported, or estimated from its duration, where the price is based on tokens; else the characters. */
export async function spokenUsage(metered: Metered, { entry, characters, seconds }: Spoken): Promise<Metered> {
  const { usage, estimated } = metered
  if (!isPaidByToken(entry)) return { usage: { ...noUsage, promptTokens: characters } satisfies Usage }
  if (estimated === undefined) return metered
  const audioOutputTokens = Math.ceil((await seconds()) * spokenTokensPerSecond)
  return { ...metered, usage: { ...usage, completionTokens: audioOutputTokens, audioOutputTokens } }
}
