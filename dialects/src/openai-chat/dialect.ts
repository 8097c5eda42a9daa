import type { Dialect } from '../dialect'
import { withArgumentTexts } from '../shared/argument-texts'
import { readChatAnswer } from '../shared/response'
import { collectDeltas } from '../shared/delta'
import { openAiError, openAiErrorEvent, readUpstreamError } from '../shared/errors'
import { chatPrompt } from '../shared/prompt'
import { chunkTap } from '../shared/observe'
import { openAiTier } from '../shared/tier'
import { withOutputLimit, withSystemPrompt } from './edit'
import { readChatRequest } from './request'
import { chatNames } from '../shared/names'

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
  withReadableCalls: withArgumentTexts,
  createTap: (options) => chunkTap(chunks, options),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}
