import type { Dialect } from '../dialect'
import { readChatAnswer } from '../openai/answer'
import { collectDeltas } from '../openai/delta'
import { openAiError, openAiErrorEvent, readUpstreamError } from '../openai/errors'
import { chatPrompt } from '../openai/prompt'
import { OpenAiTap } from '../openai/tap'
import { openAiTier } from '../tier'
import { withOutputLimit, withSystemPrompt } from './edit'
import { readChatRequest } from './request'
import { chatNames } from '../openai/names'

const chunks = { object: 'chat.completion.chunk', empty: { delta: {} }, collect: collectDeltas }

/** `POST /v1/chat/completions`. */
export const openAiChat: Dialect = {
  id: 'openai-chat',
  names: chatNames,
  readRequest: (body, place) => readChatRequest(body, place.model || undefined),
  readPrompt: chatPrompt,
  withSystemPrompt,
  withOutputLimit,
  tier: openAiTier,
  readAnswer: readChatAnswer,
  createTap: (options) => new OpenAiTap(chunks, options),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}
