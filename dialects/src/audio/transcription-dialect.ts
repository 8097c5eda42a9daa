import type { Dialect } from '../core/dialect'
import type { DialectId } from '../core/mode'
import type { UpstreamTranscriptionCodec } from '../core/neutral/transcription'
import { openAiTranscriptions } from './openai-transcriptions'
import { errorIn } from '../core/shared/errors'
import { failureIn } from '../core/shared/reported-failure'

/** A dialect in which only upstreams are asked for transcripts. A response without one is a failure. */
export const transcriptionDialect = (id: DialectId, codec: UpstreamTranscriptionCodec): Dialect => {
  const { names: _, ...common } = openAiTranscriptions
  return {
    ...common,
    id,
    codec: { kind: 'transcriptions', upstream: codec },
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
