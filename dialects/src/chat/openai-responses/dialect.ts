import type { Dialect } from '../../core/dialect'
import { openAiResponsesCodec } from './codec'
import { PassingTap } from '../../core/streaming/passing-tap'
import { withItemTexts } from '../../core/shared/argument-texts'
import { openAiError, readUpstreamError } from '../../core/shared/errors'
import { openAiServiceTier } from '../../core/shared/service-tier'
import { readResponse } from './response'
import { errorEvent, textOfEvent } from './errors'
import { responsesPrompt } from './prompt'
import { readResponsesRequest } from './request'
import { ResponsesObserver } from './observe'
import { responsesNames } from '../../core/shared/names'
import { isObject, type JsonObject } from '../../core/json'

const encoder = new TextEncoder()

/** `POST /v1/responses`. */
export const openAiResponses: Dialect = {
  id: 'openai-responses',
  codec: { kind: 'chat', client: openAiResponsesCodec, upstream: openAiResponsesCodec },
  names: responsesNames,
  readRequest: (body, pathContext) => readResponsesRequest(body, pathContext.model || undefined),
  readPrompt: responsesPrompt,
  withSystemPrompt,
  serviceTier: openAiServiceTier,
  withOutputLimit: (body, tokens) => ({ ...body, max_output_tokens: tokens }),
  readAnswer: readResponse,
  withReadableCalls: withItemTexts,
  createTap: ({ keepsAnswer }) => new PassingTap(new ResponsesObserver(keepsAnswer)),
  count: {
    read: (body, { model }) => ({
      model: readResponsesRequest(withInput(body), model || undefined).model,
      prompt: responsesPrompt(body),
    }),
    write: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
  errorBody: openAiError,
  // How many events were sent before is not known here.
  errorEvent: (error) => encoder.encode(textOfEvent(errorEvent(error, 0))),
  readError: readUpstreamError,
}

/** What is counted may have instructions and tools alone. https://platform.openai.com/docs/api-reference/responses/input-tokens */
const withInput = (body: JsonObject): JsonObject => ({ ...body, input: body['input'] ?? '-' })

const isInstruction = (item: unknown): boolean =>
  isObject(item) && (item['role'] === 'system' || item['role'] === 'developer')

/** The body with these instructions when it has none, there or in its input; with `isFirst` also before its own. */
function withSystemPrompt(body: JsonObject, text: string, isFirst: boolean): JsonObject {
  const { instructions, input } = body
  if (text === '') return body
  const own = typeof instructions === 'string' ? instructions : ''
  const hasOwn = own !== '' || (Array.isArray(input) && input.some(isInstruction))
  if (hasOwn && !isFirst) return body
  return { ...body, instructions: own === '' ? text : `${text}\n${own}` }
}
