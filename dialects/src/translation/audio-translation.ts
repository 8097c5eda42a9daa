import { DialectError } from '../core/dialect-error'
import type { ClientSpeechCodec, UpstreamSpeechCodec } from '../core/neutral/speech'
import { eventOf } from '../core/shared/chunk-data'
import type { Usage } from '../core/usage'
import type { RawAnswer, Translate } from './translate'
import type { JsonObject } from '../core/json'
import { textOrNull } from '../core/neutral/read'
import type { ClientTranscriptionCodec, UpstreamTranscriptionCodec } from '../core/neutral/transcription'
import { readTranscriptionRequest } from '../audio/openai-transcriptions'

/** The translation of a call for speech. */
export function speechTranslation(
  client: ClientSpeechCodec,
  { writeCall, readAnswer }: UpstreamSpeechCodec,
): Translate {
  return (body, pathContext, upstreamModel) => {
    const call = { ...client.readCall(body, pathContext), model: upstreamModel }
    const isStream = body['stream_format'] === 'sse'
    if (isStream && !readAnswer) throw new DialectError('stream_format', 'invalid_value', noEvents)
    const warnings = new Set<string>()
    const written = writeCall(call, (what) => warnings.add(what))
    return {
      body: written,
      warnings: [...warnings],
      read: (answer) => ({ leftOut: [], write: () => answer }),
      ...(readAnswer && {
        raw: (answer, usage) => {
          const audio = readAnswer(answer, call) ?? { bytes: new Uint8Array(), contentType: 'audio/mpeg' }
          return isStream ? speechInEvents(audio, usage) : audio
        },
      }),
    }
  }
}

const noEvents = "Invalid 'stream_format': this model does not stream events."

/** The audio in one event, with the usage behind it. */
const speechInEvents = ({ bytes }: RawAnswer, { promptTokens, completionTokens }: Usage): RawAnswer => ({
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

/** The translation of a call for a transcript. Upstreams of another dialect tell no times, so the formats with times are refused. */
export function transcriptionTranslation(
  client: ClientTranscriptionCodec,
  { writeCall, readAnswer }: UpstreamTranscriptionCodec,
): Translate {
  return (body, pathContext, upstreamModel) => {
    const call = client.readCall(body, pathContext)
    const { isStream } = readTranscriptionRequest(body, pathContext.model || undefined)
    const format = textOrNull(body['response_format']) ?? 'json'
    if (format !== 'json' && format !== 'text') throw new DialectError('response_format', 'invalid_value', noTimes)
    const warnings = new Set(Object.keys(body).filter((name) => unheard.has(name.replace(/\[\d*\]$/, ''))))
    const written = writeCall({ ...call, model: upstreamModel }, (what) => warnings.add(what))
    const textIn = (answer: JsonObject) => readAnswer(answer)?.text ?? ''
    const isRaw = isStream || format === 'text'
    return {
      body: written,
      warnings: [...warnings],
      read: (answer) => ({
        leftOut: [],
        write: (usage) => ({ text: textIn(answer), usage: usageBody(usage) }),
      }),
      ...(isRaw && {
        raw: (answer, usage) => (isStream ? transcriptInEvents(textIn(answer), usage) : inText(textIn(answer))),
      }),
    }
  }
}

/** What only OpenAI's own models tell of a recording, or are told. */
const unheard: ReadonlySet<string> = new Set(['include', 'known_speaker_names', 'known_speaker_references'])

const noTimes = "Invalid 'response_format': this model supports 'json' and 'text'."

const encoder = new TextEncoder()

const inText = (text: string): RawAnswer => ({
  bytes: encoder.encode(`${text}\n`),
  contentType: 'text/plain; charset=utf-8',
})

/** The transcript in one event, with the usage behind it. */
const transcriptInEvents = (text: string, usage: Usage): RawAnswer => ({
  bytes: Buffer.concat([
    eventOf({ type: 'transcript.text.delta', delta: text }),
    eventOf({ type: 'transcript.text.done', text, usage: usageBody(usage) }),
  ]),
  contentType: 'text/event-stream',
})

/** https://platform.openai.com/docs/api-reference/audio/json-object */
const usageBody = ({ seconds, promptTokens, completionTokens }: Usage): JsonObject =>
  seconds === undefined
    ? {
        type: 'tokens',
        input_tokens: promptTokens,
        output_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      }
    : { type: 'duration', seconds }
