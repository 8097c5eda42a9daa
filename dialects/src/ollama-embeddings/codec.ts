import type { JsonObject } from '../json'
import type { UpstreamEmbeddingCodec } from '../neutral/embedding'
import { numberOrNull, textOf, written } from '../neutral/read'
import { textInputs, vectorsOf } from '../neutral/vectors'
import { readUsage } from '../shared/usage'
import { promptUsage } from '../shared/reported-usage'

/** Ollama's `POST /api/embed`. https://docs.ollama.com/api/embed */
export const ollamaEmbeddingsCodec: UpstreamEmbeddingCodec = {
  writeCall: (call, warn) => {
    if (call.task !== null) warn('the task')
    if (call.title !== null) warn('the title')
    if (call.user !== null) warn('user')
    const options = optionsOf(call.own)
    return written({
      model: call.model,
      input: textInputs(call),
      dimensions: call.dimensions ?? undefined,
      options: Object.keys(options).length > 0 ? options : undefined,
    })
  },

  readAnswer: (answer) => ({
    model: textOf(answer['model']),
    vectors: vectorsOf(answer['embeddings']),
    usage: promptUsage(readUsage({ prompt_tokens: answer['prompt_eval_count'] })),
  }),
}

const optionNames = ['seed', 'temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'num_ctx'] as const

/** What clients say beside the call and the vendor has in a place of its own. */
const optionsOf = (own: JsonObject): JsonObject =>
  written(Object.fromEntries(optionNames.map((name) => [name, numberOrNull(own[name]) ?? undefined])))
