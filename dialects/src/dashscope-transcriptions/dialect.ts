import type { Dialect } from '../dialect'
import { openAiTranscriptions } from '../openai-transcriptions/dialect'
import { errorIn } from '../shared/errors'
import { failureIn } from '../shared/reported-failure'
import { dashScopeTranscriptionsCodec } from './codec'

const { names: _, ...common } = openAiTranscriptions

/** Chats that transcribe; only upstreams speak it. */
export const dashScopeTranscriptions: Dialect = {
  ...common,
  id: 'dashscope-transcriptions',
  readAnswer: (answer) => {
    const transcript = dashScopeTranscriptionsCodec.readAnswer(answer)
    return {
      usage: transcript?.usage ?? null,
      error: errorIn(answer) ?? failureIn(answer, transcript !== null),
      toolCalls: 0,
      isEmpty: false,
      completionText: () => transcript?.text ?? '',
    }
  },
}
