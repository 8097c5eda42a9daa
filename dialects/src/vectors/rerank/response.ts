import type { AnswerView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { readCohereUsage } from '../../chat/cohere-chat/usage'
import { objectOf } from '../../core/neutral/read'
import { readTextlessAnswer } from '../../core/shared/response'
import { promptUsage } from '../../core/shared/reported-usage'

/**
 * A whole answer. Its usage stands in `usage`, or as Cohere and SiliconFlow write it in `meta`; all of it is the prompt's,
 * for nothing is generated.
 */
export function readRerankAnswer(answer: JsonObject): AnswerView {
  const view = readTextlessAnswer(answer, ['results', 'data'])
  return { ...view, usage: view.usage ?? promptUsage(readCohereUsage(objectOf(answer['meta']))) }
}
