import type { Dialect } from '../../core/dialect'
import type { JsonObject } from '../../core/json'
import { audioUsage } from '../../core/shared/audio-usage'
import { errorIn, openAiError, openAiErrorEvent, readUpstreamError } from '../../core/shared/errors'
import { MediaObserver } from '../../core/shared/media-observer'
import { speechNames } from '../../core/shared/names'
import { inputPrompt } from '../../core/shared/prompt'
import { failureIn } from '../../core/shared/reported-failure'
import { PassingTap } from '../../core/streaming/passing-tap'
import type { ReportedUsage } from '../../core/usage'
import { readSpeechCall } from './call'
import { readSpeechRequest } from './request'

/** All output is audio, though not every vendor reports it as such. */
function usageOf(told: unknown): ReportedUsage | null {
  const usage = audioUsage(told)
  return usage && { ...usage, audioOutputTokens: usage.completionTokens }
}

const events = {
  isContent: (type: string) => type === 'speech.audio.delta',
  isEnd: (type: string) => type === 'speech.audio.done',
  textIn: () => '',
  usageIn: ({ usage }: JsonObject) => usageOf(usage),
}

/** `POST /v1/audio/speech`: audio, or events that carry it. JSON in its place is a failure. */
export const openAiSpeech: Dialect = {
  id: 'openai-speech',
  codec: { kind: 'speech', client: { readCall: readSpeechCall } },
  names: speechNames,
  readRequest: (body, place) => readSpeechRequest(body, place.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'input', 'instructions'),
  readAnswer: (answer) => ({
    usage: null,
    error: errorIn(answer) ?? failureIn(answer, false),
    toolCalls: 0,
    isEmpty: true,
    completionText: () => '',
  }),
  createTap: () => new PassingTap(new MediaObserver(events)),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}
