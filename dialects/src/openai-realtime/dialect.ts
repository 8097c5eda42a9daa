import type { Dialect } from '../dialect'
import { errorIn } from '../shared/errors'
import { wholeView } from '../shared/fields'
import { inputPrompt } from '../shared/prompt'
import { textlessDialect } from '../shared/textless-dialect'
import { failureIn } from '../shared/reported-failure'

/**
 * `/v1/realtime`: events over a WebSocket, which the other files here read. What is here is for its handshake: its errors, and a header of the
 * older shape of the events. https://platform.openai.com/docs/guides/realtime
 */
export const openAiRealtime: Dialect = {
  ...textlessDialect({
    id: 'openai-realtime',
    readRequest: (_, place) => ({ ...wholeView(place.model), isStream: true }),
    readPrompt: (body) => inputPrompt(body, 'instructions'),
    readAnswer: (answer) => ({
      usage: null,
      error: errorIn(answer) ?? failureIn(answer, false),
      toolCalls: 0,
      isEmpty: true,
      completionText: () => '',
    }),
  }),
  headers: ['openai-beta'],
}
