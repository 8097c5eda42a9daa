import type { AnswerView } from '../../core/views'
import { errorIn } from '../../chat/gemini/errors'
import { member, memberObject } from '../../core/shared/google-members'
import { isObject, type JsonObject } from '../../core/json'
import { numberOrNull, objectOf, objectsOf } from '../../core/neutral/read'
import { failureIn, hasObjects } from '../../core/shared/reported-failure'
import { readUsage } from '../../core/shared/usage'
import { promptUsage } from '../../core/shared/reported-usage'
import type { ReportedUsage } from '../../core/usage'

/** A whole answer, of one or of many. */
export const readEmbedAnswer = (answer: JsonObject): AnswerView => ({
  usage: readEmbedUsage(answer),
  error: errorIn(answer) ?? failureIn(answer, hasObjects(answer['embeddings']) || isObject(answer['embedding'])),
  toolCalls: 0,
  isEmpty: false,
  completionText: () => '',
})

/** The vectors with the statistics of each. */
export const embeddingsOf = (answer: JsonObject): readonly JsonObject[] =>
  Array.isArray(answer['embeddings']) ? objectsOf(answer['embeddings']) : [objectOf(answer['embedding'])]

/** Most models tell none; newer ones tell one of all, those of the cloud one of each vector. */
export function readEmbedUsage(answer: JsonObject): ReportedUsage | null {
  const told = member(memberObject(answer, 'usageMetadata'), 'promptTokenCount')
  const each = embeddingsOf(answer).map((embedding) =>
    numberOrNull(member(objectOf(embedding['statistics']), 'tokenCount')),
  )
  return promptUsage(readUsage({ prompt_tokens: told ?? each.reduce<number>((sum, count) => sum + (count ?? 0), 0) }))
}
