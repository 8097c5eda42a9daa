import type { Dialect } from '../dialect'
import { commonNames } from '../ollama-chat/known-names'
import { knownNames, leaves } from '../shared/known-names'
import { inputPrompt } from '../shared/prompt'
import { ollamaEmbeddings } from './dialect'
import { readPromptRequest } from './request'

/** `POST /api/embeddings`; only clients speak it. */
export const ollamaEmbedding: Dialect = {
  ...ollamaEmbeddings,
  id: 'ollama-embedding',
  names: knownNames({ ...commonNames, ...leaves('prompt') }),
  readRequest: readPromptRequest,
  readPrompt: (body) => inputPrompt(body, 'prompt'),
}
