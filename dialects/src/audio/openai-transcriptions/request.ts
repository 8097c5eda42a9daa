import { DialectError } from '../../core/dialect-error'
import type { CallPlace, RequestView } from '../../core/views'
import { FormFile } from '../../core/form-file'
import type { JsonObject } from '../../core/json'
import { textOrNull } from '../../core/neutral/read'
import type { NeutralTranscription } from '../../core/neutral/transcription'
import { missing, readModel, wholeView, wrongType } from '../../core/shared/fields'

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
export function readTranscriptionCall(body: JsonObject, place: CallPlace): NeutralTranscription {
  const { file: recording } = body
  if (!(recording instanceof FormFile)) throw missing('file')
  const temperature = Number(textOrNull(body['temperature']) ?? Number.NaN)
  return {
    model: place.model,
    recording,
    prompt: textOrNull(body['prompt']),
    language: textOrNull(body['language']),
    temperature: Number.isNaN(temperature) ? null : temperature,
  }
}
