import type { AnswerView } from '../dialect'
import type { JsonObject } from '../json'
import { readCohereUsage } from '../cohere-chat/usage'
import { objectOf } from '../neutral/read'
import { readTextlessAnswer } from '../shared/response'
import { promptUsage } from '../shared/reported-usage'

/**
 * A whole answer. Its usage stands in `usage`, or as Cohere and SiliconFlow write it in `meta`; all of it is the prompt's,
 * for nothing is generated.
 */
export function readRerankAnswer(answer: JsonObject): AnswerView {
  const view = readTextlessAnswer(answer, ['results', 'data'])
  return { ...view, usage: view.usage ?? promptUsage(readCohereUsage(objectOf(answer['meta']))) }
}
