import type { Dialect } from '../../core/dialect'
import { errorIn } from '../../core/shared/errors'
import { wholeView } from '../../core/shared/fields'
import { inputPrompt } from '../../core/shared/prompt'
import { textlessDialect } from '../../core/dialect-from-codec'
import { failureIn } from '../../core/shared/reported-failure'

/**
 * `/v1/realtime`: events over a WebSocket, which the other files here read. What is here is for its handshake: its errors, and a header of the
 * older shape of the events. https://platform.openai.com/docs/guides/realtime
 */
export const openAiRealtime: Dialect = {
  ...textlessDialect({
    id: 'openai-realtime',
    readRequest: (_, pathContext) => ({ ...wholeView(pathContext.model), isStream: true }),
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
