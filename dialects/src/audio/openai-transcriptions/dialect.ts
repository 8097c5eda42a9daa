import type { Dialect } from '../../core/dialect'
import type { AnswerView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { textOf } from '../../core/neutral/read'
import { audioUsage, usageOfSeconds } from '../../core/shared/audio-usage'
import { errorIn, openAiError, openAiErrorEvent, readUpstreamError } from '../../core/shared/errors'
import { MediaObserver } from '../../core/shared/media-observer'
import { transcriptionNames } from '../../core/shared/names'
import { inputPrompt } from '../../core/shared/prompt'
import { failureIn } from '../../core/shared/reported-failure'
import { PassingTap } from '../../core/streaming/passing-tap'
import { readTranscriptionCall, readTranscriptionRequest } from './request'

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
  readRequest: (body, place) => readTranscriptionRequest(body, place.model || undefined),
  readPrompt: (body) => ({ ...inputPrompt(body, 'prompt'), audios: 1 }),
  readAnswer: readTranscript,
  createTap: () => new PassingTap(new MediaObserver(events)),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}
