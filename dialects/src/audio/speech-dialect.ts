import type { Dialect } from '../core/dialect'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import type { UpstreamSpeechCodec } from '../core/neutral/speech'
import { openAiSpeech } from './openai-speech'
import { errorIn } from '../core/shared/errors'
import { failureIn } from '../core/shared/reported-failure'

/** A dialect of speech that only upstreams have. A response without audio is a failure. */
export const speechDialect = (id: DialectId, codec: UpstreamSpeechCodec): Dialect => {
  const { names: _, ...common } = openAiSpeech
  const audioIn = (answer: JsonObject) => codec.readAnswer?.(answer, { model: '', format: 'mp3' }) ?? null
  return {
    ...common,
    id,
    codec: { kind: 'speech', upstream: codec },
    readAnswer: (answer) => {
      const audio = audioIn(answer)
      return {
        usage: audio?.usage ?? null,
        error: errorIn(answer) ?? failureIn(answer, audio !== null),
        toolCalls: 0,
        isEmpty: audio === null,
        completionText: () => '',
      }
    },
  }
}
