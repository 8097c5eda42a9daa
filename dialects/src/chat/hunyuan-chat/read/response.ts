import type { JsonObject } from '../../../core/json'
import { objectOf, objectsOf } from '../../../core/neutral/read'
import type { MappedEvent } from '../../openai-chat/chunk-form'
import { reportedFailure } from '../../../core/shared/reported-failure'
import { errorIn } from '../errors'
import { responseIn, withSnakeNames } from '../names'

/** An answer or an event in OpenAI's words. */
export function mapAnswer(answer: JsonObject): MappedEvent {
  const error = errorIn(answer) ?? reportedFailure(answer, 'Choices' in responseIn(answer))
  if (error !== null) return { error }
  const chunk = objectOf(withSnakeNames(responseIn(answer)))
  return { chunk: { ...chunk, choices: objectsOf(chunk['choices']).map(withKnownReason) } }
}

/** What is kept back for its content ends with a word of the vendor's own. */
const withKnownReason = (choice: JsonObject): JsonObject =>
  choice['finish_reason'] === 'sensitive' ? { ...choice, finish_reason: 'content_filter' } : choice
