import type { Dialect } from '../../core/dialect'
import { geminiCodec } from './codec'
import { PassingTap } from '../../core/streaming/passing-tap'
import { JsonArrayForm } from '../../core/streaming/json-array-form'
import { geminiTier } from '../../core/shared/tier'
import { readResponse } from './response'
import { errorEventText, geminiError, readError } from './errors'
import { contentsPrompt } from './prompt'
import { readGenerateRequest, tokenCount, withOutputLimit } from './request'
import { withSystemPrompt } from './edit'
import { GeminiObserver } from './observe'
import { generateNames } from './known-names'

const encoder = new TextEncoder()

/** `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`. */
export const gemini: Dialect = {
  id: 'gemini',
  codec: { kind: 'chat', client: geminiCodec, upstream: geminiCodec },
  names: generateNames,
  readRequest: readGenerateRequest,
  readPrompt: contentsPrompt,
  withSystemPrompt,
  tier: geminiTier,
  withOutputLimit,
  // The address names it.
  withModel: (body) => body,
  readAnswer: readResponse,
  createTap: () => new PassingTap(new GeminiObserver()),
  streamForm: (query) => (new URLSearchParams(query).get('alt') === 'sse' ? null : new JsonArrayForm()),
  count: tokenCount,
  errorBody: geminiError,
  errorEvent: (error) => encoder.encode(errorEventText(error)),
  readError,
}
