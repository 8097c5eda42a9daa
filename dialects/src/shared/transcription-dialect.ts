import type { Dialect } from '../dialect'
import type { DialectId } from '../mode'
import type { UpstreamTranscriptionCodec } from '../neutral/transcription'
import { openAiTranscriptions } from '../openai-transcriptions/dialect'
import { errorIn } from './errors'
import { failureIn } from './reported-failure'

/** A dialect in which only upstreams are asked for transcripts. A response without one is a failure. */
export const transcriptionDialect = (id: DialectId, codec: UpstreamTranscriptionCodec): Dialect => {
  const { names: _, ...common } = openAiTranscriptions
  return {
    ...common,
    id,
    readAnswer: (answer) => {
      const transcript = codec.readAnswer(answer)
      return {
        usage: transcript?.usage ?? null,
        error: errorIn(answer) ?? failureIn(answer, transcript !== null),
        toolCalls: 0,
        isEmpty: false,
        completionText: () => transcript?.text ?? '',
      }
    },
  }
}
