import type { Dialect } from '../../core/dialect'
import { geminiCodec } from './codec'
import { PassingTap } from '../../core/streaming/passing-tap'
import { JsonArrayForm } from '../../core/streaming/stream-forms'
import { geminiServiceTier } from '../../core/shared/service-tier'
import { readResponse } from './response'
import { errorEventText, geminiError, readError } from './errors'
import { contentsPrompt } from './prompt'
import { readGenerateRequest, tokenCount, withOutputLimit } from './request'
import { GeminiObserver } from './observe'
import { generateNames } from './known-names'
import { isObject, type JsonObject } from '../../core/json'
import { listOf, member, nameIn } from '../../core/shared/google-members'

const encoder = new TextEncoder()

/** `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`. */
export const gemini: Dialect = {
  id: 'gemini',
  codec: { kind: 'chat', client: geminiCodec, upstream: geminiCodec },
  names: generateNames,
  readRequest: readGenerateRequest,
  readPrompt: contentsPrompt,
  withSystemPrompt,
  serviceTier: geminiServiceTier,
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

/** The body with these instructions when it has none; with `isFirst` also before its own. */
function withSystemPrompt(body: JsonObject, text: string, isFirst: boolean): JsonObject {
  if (text === '') return body
  const own = member(body, 'systemInstruction')
  const parts = typeof own === 'string' ? [{ text: own }] : listOf(isObject(own) ? own['parts'] : undefined)
  const isEmpty = parts.every((part) => part['text'] === '')
  if (!isEmpty && !isFirst) return body
  const instruction = { ...(isObject(own) ? own : {}), parts: isEmpty ? [{ text }] : [{ text }, ...parts] }
  return { ...body, [nameIn(body, 'systemInstruction')]: instruction }
}
