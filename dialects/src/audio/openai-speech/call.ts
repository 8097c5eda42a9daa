import type { CallPlace } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { numberOrNull, textOf, textOrNull } from '../../core/neutral/read'
import type { NeutralSpeech } from '../../core/neutral/speech'
import { readSpeechRequest } from './request'

/** A client's request in neutral form. @throws DialectError when it is not allowed. */
export const readSpeechCall = (body: JsonObject, place: CallPlace): NeutralSpeech => ({
  model: readSpeechRequest(body, place.model || undefined).model,
  input: textOf(body['input']),
  voice: isObject(body['voice']) ? textOf(body['voice']['id']) : textOf(body['voice']),
  format: textOf(body['response_format']) || 'mp3',
  speed: numberOrNull(body['speed']),
  instructions: textOrNull(body['instructions']),
})
