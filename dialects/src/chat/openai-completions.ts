import type { Dialect } from '../core/dialect'
import { readChatAnswer } from '../core/shared/response'
import { collectTexts } from '../core/shared/delta'
import { openAiError, openAiErrorEvent, readUpstreamError } from '../core/shared/errors'
import { inputPrompt } from '../core/shared/prompt'
import { chunkTap } from '../core/shared/observe'
import { completionNames } from '../core/shared/names'
import type { RequestView } from '../core/views'
import { DialectError } from '../core/dialect-error'
import type { JsonObject } from '../core/json'
import { readChoices, readFlag, readIncludeUsage, readMaxTokens, readModel, requireInput } from '../core/shared/fields'

const chunks = { object: 'text_completion', empty: { text: '', logprobs: null }, collect: collectTexts }

/** `POST /v1/completions`. */
export const openAiCompletions: Dialect = {
  id: 'openai-completions',
  names: completionNames,
  readRequest: (body, pathContext) => readCompletionRequest(body, pathContext.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'prompt', 'suffix'),
  withOutputLimit: (body, tokens) => ({ ...body, max_tokens: tokens }),
  readAnswer: readChatAnswer,
  createTap: (options) => chunkTap(chunks, options),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}

/**
 * The view of a text completion request. https://platform.openai.com/docs/api-reference/completions/create
 * @throws DialectError
 */
function readCompletionRequest(body: JsonObject, model?: string): RequestView {
  const view = {
    model: readModel(body, model),
    isStream: readFlag(body, 'stream'),
    includeUsage: readIncludeUsage(body),
  }
  requireInput(body, 'prompt')
  // Zero is allowed here: with `echo` it scores the prompt alone.
  const maxOutputTokens = readMaxTokens(body, 'max_tokens', 0)
  const choices = Math.max(readChoices(body), readChoices(body, 'best_of')) * promptCount(body['prompt'])
  if (choices > maxCompletions) {
    const message = `Invalid 'prompt': a request may ask for ${maxCompletions} completions of all its prompts, but asks for ${choices}.`
    throw new DialectError('prompt', 'array_above_max_length', message)
  }
  return { ...view, maxOutputTokens, choices }
}

/** The most completions of all prompts together: many times what vendors take. */
const maxCompletions = 4096

/** A list of numbers is one prompt given as tokens; any other list holds one prompt an entry. */
const promptCount = (prompt: unknown): number =>
  Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1
