import type { Dialect } from '../core/dialect'
import { openAiChat } from './openai-chat/dialect'
import { openAiCompletions } from './openai-completions'
import { fimNames } from '../core/shared/names'

/**
 * `POST /v1/fim/completions`: what stands between a prompt and a suffix. Requests are like those for completions, answers are those of chats.
 * https://docs.mistral.ai/api/endpoint/fim
 */
export const mistralFim: Dialect = {
  ...openAiCompletions,
  id: 'mistral-fim',
  names: fimNames,
  readAnswer: openAiChat.readAnswer,
  createTap: openAiChat.createTap,
}
