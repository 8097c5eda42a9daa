import type { Dialect } from '../dialect'
import { openAiError, openAiErrorEvent, readUpstreamError } from './errors'
import { chunkTap } from './observe'

const chunks = { object: 'list', empty: {}, collect: () => false }

/** A dialect whose answers say nothing in words and whose errors are OpenAI's. */
export const textlessDialect = (
  own: Pick<Dialect, 'id' | 'names' | 'readRequest' | 'readPrompt' | 'readAnswer'>,
): Dialect => ({
  ...own,
  createTap: (options) => chunkTap(chunks, options),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
})
