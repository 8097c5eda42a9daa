import { noUsage, type Usage } from '@tollgate/dialects'
import type { PriceEntry } from '@tollgate/models'

import type { Metered } from './meter'

/** What OpenAI counts for a second that it hears. */
const heardTokensPerSecond = 10
/** And for a second that it speaks: 1250 a minute. */
const spokenTokensPerSecond = 1250 / 60
/** A minute at a price by tokens that tells none for its output, as prices of transcriptions are written that have no seconds. */
const tokensPerMinute = 1000

/** The model is paid for what it writes or speaks, so that its tokens count. */
const isPaidByToken = ({ prices, ratios }: PriceEntry): boolean =>
  [prices.output, prices.audio_out, ratios?.output, ratios?.audio_out].some((price) => price !== undefined)

/** A recording that was heard. */
interface Heard {
  readonly entry: PriceEntry
  readonly seconds: number
  /** The length is certain. */
  readonly isMeasured: boolean
}

/**
 * Returns what a transcription used. What its upstream told stands; else the tokens of what was heard and written where
 * these are paid, and the length of the recording elsewhere.
 */
export function heardUsage(metered: Metered, { entry, seconds, isMeasured }: Heard): Metered {
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

/** Speech that was made. */
interface Spoken {
  readonly entry: PriceEntry
  readonly characters: number
  /** Asked for only where tokens are paid and the upstream did not tell them. */
  readonly seconds: () => Promise<number>
}

/** Returns what speech used: as its upstream told, else the tokens of its length where these are paid, elsewhere the characters. */
export async function spokenUsage(metered: Metered, { entry, characters, seconds }: Spoken): Promise<Metered> {
  const { usage, estimated } = metered
  if (!isPaidByToken(entry)) return { usage: { ...noUsage, promptTokens: characters } satisfies Usage }
  if (estimated === undefined) return metered
  const audioOutputTokens = Math.ceil((await seconds()) * spokenTokensPerSecond)
  return { ...metered, usage: { ...usage, completionTokens: audioOutputTokens, audioOutputTokens } }
}
