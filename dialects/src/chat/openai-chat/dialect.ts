import type { Dialect } from '../../core/dialect'
import { openAiChatCodec } from './codec'
import { withArgumentTexts } from '../../core/shared/argument-texts'
import { readChatAnswer } from '../../core/shared/response'
import { collectDeltas } from '../../core/shared/delta'
import { openAiError, openAiErrorEvent, readUpstreamError } from '../../core/shared/errors'
import { chatPrompt } from '../../core/shared/prompt'
import { chunkTap } from '../../core/shared/observe'
import { openAiServiceTier } from '../../core/shared/service-tier'
import { withOutputLimit, withSystemPrompt } from './edit'
import { readChatRequest } from './request'
import { chatNames } from '../../core/shared/names'

const chunks = { object: 'chat.completion.chunk', empty: { delta: {} }, collect: collectDeltas }

/** `POST /v1/chat/completions`. */
export const openAiChat: Dialect = {
  id: 'openai-chat',
  codec: { kind: 'chat', client: openAiChatCodec, upstream: openAiChatCodec },
  names: chatNames,
  readRequest: (body, pathContext) => readChatRequest(body, pathContext.model || undefined),
  readPrompt: chatPrompt,
  withSystemPrompt,
  withOutputLimit,
  serviceTier: openAiServiceTier,
  readAnswer: readChatAnswer,
  withReadableCalls: withArgumentTexts,
  createTap: (options) => chunkTap(chunks, options),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}
