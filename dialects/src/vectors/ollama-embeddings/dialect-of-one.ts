import type { Dialect } from '../../core/dialect'
import { commonNames } from '../../chat/ollama-chat/known-names'
import { knownNames, leaves } from '../../core/shared/known-names'
import { inputPrompt } from '../../core/shared/prompt'
import { ollamaEmbeddingCodec } from './codec'
import { ollamaEmbeddings } from './dialect'
import { readPromptRequest } from './request'

/** `POST /api/embeddings`; only clients speak it. */
export const ollamaEmbedding: Dialect = {
  ...ollamaEmbeddings,
  id: 'ollama-embedding',
  codec: { kind: 'embeddings', client: ollamaEmbeddingCodec },
  names: knownNames({ ...commonNames, ...leaves('prompt') }),
  readRequest: readPromptRequest,
  readPrompt: (body) => inputPrompt(body, 'prompt'),
}
