import type { Dialect } from '../core/dialect'
import type { AnswerView, PathContext, RequestView } from '../core/views'
import type { JsonObject } from '../core/json'
import { textOf, textOrNull } from '../core/neutral/read'
import { audioUsage, usageOfSeconds } from '../core/shared/usage'
import { errorIn, openAiError, openAiErrorEvent, readUpstreamError } from '../core/shared/errors'
import { MediaObserver } from '../core/shared/media-observer'
import { transcriptionNames } from '../core/shared/names'
import { inputPrompt } from '../core/shared/prompt'
import { failureIn } from '../core/shared/reported-failure'
import { PassingTap } from '../core/streaming/passing-tap'
import { DialectError } from '../core/dialect-error'
import { FormFile } from '../core/form-file'
import type { NeutralTranscription } from '../core/neutral/transcription'
import { missing, readModel, wholeView, wrongType } from '../core/shared/fields'

const events = {
  isContent: (type: string) => type === 'transcript.text.delta' || type === 'transcript.text.segment',
  isEnd: (type: string) => type === 'transcript.text.done',
  textIn: ({ delta }: JsonObject) => textOf(delta),
  usageIn: ({ usage }: JsonObject) => audioUsage(usage),
}

/** The transcript of silence is empty. `verbose_json` reports the duration of the recording. */
const readTranscript = (answer: JsonObject): AnswerView => ({
  usage: audioUsage(answer['usage']) ?? usageOfSeconds(answer['duration']),
  error: errorIn(answer) ?? failureIn(answer, typeof answer['text'] === 'string'),
  toolCalls: 0,
  isEmpty: false,
  completionText: () => textOf(answer['text']),
})

/** `POST /v1/audio/transcriptions` and `/v1/audio/translations`. */
export const openAiTranscriptions: Dialect = {
  id: 'openai-transcriptions',
  codec: { kind: 'transcriptions', client: { readCall: readTranscriptionCall } },
  names: transcriptionNames,
  readRequest: (body, pathContext) => readTranscriptionRequest(body, pathContext.model || undefined),
  readPrompt: (body) => ({ ...inputPrompt(body, 'prompt'), audios: 1 }),
  readAnswer: readTranscript,
  createTap: () => new PassingTap(new MediaObserver(events)),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}

/** What is used when the client names no model. */
const defaultModel = 'whisper-1'

/** Media types of the formats that are not JSON. */
const formats: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text/plain; charset=utf-8'],
  ['srt', 'text/plain; charset=utf-8'],
  ['vtt', 'text/vtt; charset=utf-8'],
])

/** Models that never stream, even when asked to: https://platform.openai.com/docs/guides/speech-to-text */
const neverStreams = /^whisper/

/**
 * The view of a request to transcribe or translate a recording.
 * https://platform.openai.com/docs/api-reference/audio/createTranscription
 * @throws DialectError
 */
export function readTranscriptionRequest(body: JsonObject, model: string = defaultModel): RequestView {
  const view = wholeView(readModel(body, model))
  requireRecording(body['file'])
  const { stream = false, response_format: format } = body
  const isStream = (stream === true || stream === 'true') && !neverStreams.test(view.model)
  return { ...view, isStream, rawType: formats.get(format) }
}

function requireRecording(file: unknown): void {
  if (file === undefined) throw missing('file')
  if (!(file instanceof FormFile)) throw wrongType('file', 'a file', file)
  if (file.bytes.byteLength === 0) throw new DialectError('file', 'empty_string', "Invalid 'file': the file is empty.")
}

/** A client's request in neutral form. @throws DialectError when it is not allowed. */
function readTranscriptionCall(body: JsonObject, pathContext: PathContext): NeutralTranscription {
  const { file: recording } = body
  if (!(recording instanceof FormFile)) throw missing('file')
  const temperature = Number(textOrNull(body['temperature']) ?? Number.NaN)
  return {
    model: pathContext.model,
    recording,
    prompt: textOrNull(body['prompt']),
    language: textOrNull(body['language']),
    temperature: Number.isNaN(temperature) ? null : temperature,
  }
}
