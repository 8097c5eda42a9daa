import { anthropicMessages } from './anthropic-messages/dialect'
import type { Dialect } from './dialect'
import { gemini } from './gemini/dialect'
import type { DialectId } from './mode'
import { openAiChat } from './openai-chat/dialect'
import { openAiCompletions } from './openai-completions/dialect'
import { openAiEmbeddings } from './openai-embeddings/dialect'
import { openAiModerations } from './openai-moderations/dialect'
import { openAiResponses } from './openai-responses/dialect'

/** All wire formats. */
export const dialects: Readonly<Record<DialectId, Dialect>> = {
  'anthropic-messages': anthropicMessages,
  gemini,
  'openai-chat': openAiChat,
  'openai-completions': openAiCompletions,
  'openai-embeddings': openAiEmbeddings,
  'openai-moderations': openAiModerations,
  'openai-responses': openAiResponses,
}
