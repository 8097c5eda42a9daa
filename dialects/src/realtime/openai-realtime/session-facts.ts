import { isObject, type JsonObject } from '../../core/json'
import { objectOf } from '../../core/neutral/read'
import { textOrNull } from '../../core/neutral/read'

/** The parts of a session's configuration that decide what its responses cost. */
export interface SessionFacts {
  /** Null where it is not named. */
  readonly model: string | null
  /** The model that transcribes the input; null: it is not transcribed. */
  readonly transcriptionModel: string | null
  /** The most tokens of one response; null: as many as the model can. */
  readonly maxOutputTokens: number | null
  readonly inputBytesPerSecond: number
  readonly outputBytesPerSecond: number
}

/** 24,000 samples of two bytes a second. */
const pcmBytesPerSecond = 48_000
/** Nothing is recorded with fewer samples a second: with one, a second would have two bytes. */
const lowestRate = 8_000
/** 8,000 samples of one byte. */
const telephoneBytesPerSecond = 8_000

/** Before a session reports its configuration. */
export const usualSession: SessionFacts = {
  model: null,
  transcriptionModel: null,
  maxOutputTokens: null,
  inputBytesPerSecond: pcmBytesPerSecond,
  outputBytesPerSecond: pcmBytesPerSecond,
}

/** Returns the facts in a configuration, in the current shape or that of the beta; what it omits stays as before. */
export function sessionFacts(session: JsonObject, before: SessionFacts = usualSession): SessionFacts {
  const input = objectOf(objectOf(session['audio'])['input'])
  const output = objectOf(objectOf(session['audio'])['output'])
  return {
    model: textOrNull(session['model']) ?? before.model,
    transcriptionModel: transcriptionOf(session, input, before),
    maxOutputTokens: limitOf(session, before),
    inputBytesPerSecond: bytesPerSecond(input['format'] ?? session['input_audio_format']) ?? before.inputBytesPerSecond,
    outputBytesPerSecond:
      bytesPerSecond(output['format'] ?? session['output_audio_format']) ?? before.outputBytesPerSecond,
  }
}

function transcriptionOf(session: JsonObject, input: JsonObject, before: SessionFacts): string | null {
  const reported = 'transcription' in input ? input['transcription'] : session['input_audio_transcription']
  if (reported === undefined) return before.transcriptionModel
  return isObject(reported) ? (textOrNull(reported['model']) ?? before.transcriptionModel) : null
}

function limitOf(session: JsonObject, before: SessionFacts): number | null {
  const reported = session['max_output_tokens'] ?? session['max_response_output_tokens']
  if (reported === undefined) return before.maxOutputTokens
  return typeof reported === 'number' && reported > 0 ? reported : null
}

/** A format is an object with a type, or the name that the beta had for it. */
function bytesPerSecond(format: unknown): number | null {
  if (isObject(format)) {
    const { type, rate } = format
    if (type === 'audio/pcm') return typeof rate === 'number' ? Math.max(rate, lowestRate) * 2 : pcmBytesPerSecond
    return type === 'audio/pcmu' || type === 'audio/pcma' ? telephoneBytesPerSecond : null
  }
  if (format === 'pcm16') return pcmBytesPerSecond
  return format === 'g711_ulaw' || format === 'g711_alaw' ? telephoneBytesPerSecond : null
}
