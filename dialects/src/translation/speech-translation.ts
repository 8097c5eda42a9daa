import { DialectError } from '../core/dialect-error'
import type { ClientSpeechCodec, UpstreamSpeechCodec } from '../core/neutral/speech'
import { eventOf } from '../core/shared/chunk-data'
import type { Usage } from '../core/usage'
import type { RawAnswer, Translate } from './translate'

/** The translation of a call for speech. */
export function speechTranslation(
  client: ClientSpeechCodec,
  { writeCall, readAnswer }: UpstreamSpeechCodec,
): Translate {
  return (body, place, upstreamModel) => {
    const call = { ...client.readCall(body, place), model: upstreamModel }
    const isStream = body['stream_format'] === 'sse'
    if (isStream && !readAnswer) throw new DialectError('stream_format', 'invalid_value', noEvents)
    const warnings = new Set<string>()
    const written = writeCall(call, (what) => warnings.add(what))
    return {
      body: written,
      warnings: [...warnings],
      answer: (answer) => answer,
      ...(readAnswer && {
        raw: (answer, usage) => {
          const audio = readAnswer(answer, call) ?? { bytes: new Uint8Array(), contentType: 'audio/mpeg' }
          return isStream ? inEvents(audio, usage) : audio
        },
      }),
    }
  }
}

const noEvents = "Invalid 'stream_format': this model does not stream events."

/** The audio in one event, with the usage behind it. */
const inEvents = ({ bytes }: RawAnswer, { promptTokens, completionTokens }: Usage): RawAnswer => ({
  bytes: Buffer.concat([
    eventOf({ type: 'speech.audio.delta', audio: Buffer.from(bytes).toString('base64') }),
    eventOf({
      type: 'speech.audio.done',
      usage: {
        input_tokens: promptTokens,
        output_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      },
    }),
  ]),
  contentType: 'text/event-stream',
})
