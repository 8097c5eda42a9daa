import { textlessDialect } from '../../core/shared/textless-dialect'
import { readRerankRequest, rerankPrompt } from './request'
import { rerankNames } from '../../core/shared/names'
import type { AnswerView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { readCohereUsage } from '../../chat/cohere-chat/usage'
import { objectOf } from '../../core/neutral/read'
import { readTextlessAnswer } from '../../core/shared/response'
import { promptUsage } from '../../core/shared/reported-usage'

/** `POST /v1/rerank`, in the shape that Jina, Cohere's first version and the servers of open models share. */
export const rerank = textlessDialect({
  id: 'rerank',
  names: rerankNames,
  readRequest: (body, place) => readRerankRequest(body, place.model || undefined),
  readPrompt: rerankPrompt,
  readAnswer: readRerankAnswer,
})

/**
 * A whole answer. Its usage stands in `usage`, or as Cohere and SiliconFlow write it in `meta`; all of it is the prompt's,
 * for nothing is generated.
 */
function readRerankAnswer(answer: JsonObject): AnswerView {
  const view = readTextlessAnswer(answer, ['results', 'data'])
  return { ...view, usage: view.usage ?? promptUsage(readCohereUsage(objectOf(answer['meta']))) }
}
