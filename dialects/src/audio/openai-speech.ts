import type { Dialect } from '../core/dialect'
import { type JsonObject, isObject } from '../core/json'
import { audioUsage } from '../core/shared/usage'
import { errorIn, openAiError, openAiErrorEvent, readUpstreamError } from '../core/shared/errors'
import { MediaObserver } from '../core/shared/media-observer'
import { speechNames } from '../core/shared/names'
import { inputPrompt } from '../core/shared/prompt'
import { failureIn } from '../core/shared/reported-failure'
import { PassingTap } from '../core/streaming/passing-tap'
import type { ReportedUsage } from '../core/usage'
import { DialectError } from '../core/dialect-error'
import type { RequestView, PathContext } from '../core/views'
import { missing, readModel, wholeView, wrongType } from '../core/shared/fields'
import { numberOrNull, textOf, textOrNull } from '../core/neutral/read'
import type { NeutralSpeech } from '../core/neutral/speech'

/** All output is audio, though not every vendor reports it as such. */
function usageOf(reported: unknown): ReportedUsage | null {
  const usage = audioUsage(reported)
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
  readRequest: (body, pathContext) => readSpeechRequest(body, pathContext.model || undefined),
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

/** What is used when the client names no model. */
const defaultModel = 'tts-1'

/** Media types by the names of formats. */
const formats: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['opus', 'audio/ogg'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['wav', 'audio/wav'],
  ['pcm', 'audio/pcm'],
])

/**
 * The view of a request for speech. https://platform.openai.com/docs/api-reference/audio/createSpeech
 * @throws DialectError
 */
function readSpeechRequest(body: JsonObject, model: string = defaultModel): RequestView {
  const { input, response_format: format = 'mp3', speed = 1 } = body
  if (input === undefined || input === null) throw missing('input')
  if (typeof input !== 'string') throw wrongType('input', 'a string', input)
  if (input.trim() === '') throw new DialectError('input', 'empty_string', "Invalid 'input': the text is empty.")
  const view = wholeView(readModel(body, model))
  return {
    ...view,
    isStream: body['stream_format'] === 'sse',
    maxOutputTokens: maxSpeechLength(input, typeof speed === 'number' ? speed : 1),
    rawType: (typeof format === 'string' ? formats.get(format) : undefined) ?? 'application/octet-stream',
    spokenCharacters: charactersOf(input),
  }
}

/** Returns how many code points a text has, which is what vendors count. */
function charactersOf(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 0xdc00 && code <= 0xdfff) count -= 1
  }
  return count
}

/** Seconds of slow speech for a letter, and for a character that stands for a syllable. */
const secondsOfLetter = 0.12
const secondsOfSyllable = 0.4
/** More tokens than any vendor counts for a second of speech. */
const tokensPerSecond = 32
const slowest = 0.25

/** Returns the most tokens of audio that a text may become. */
function maxSpeechLength(text: string, speed: number): number {
  const wide = Math.min((Buffer.byteLength(text) - text.length) / 2, text.length)
  const seconds = (text.length - wide) * secondsOfLetter + wide * secondsOfSyllable + 1
  return Math.ceil((seconds * tokensPerSecond) / Math.max(speed, slowest))
}

/** A client's request in neutral form. @throws DialectError when it is not allowed. */
function readSpeechCall(body: JsonObject, pathContext: PathContext): NeutralSpeech {
  return {
    model: readSpeechRequest(body, pathContext.model || undefined).model,
    input: textOf(body['input']),
    voice: isObject(body['voice']) ? textOf(body['voice']['id']) : textOf(body['voice']),
    format: textOf(body['response_format']) || 'mp3',
    speed: numberOrNull(body['speed']),
    instructions: textOrNull(body['instructions']),
  }
}
