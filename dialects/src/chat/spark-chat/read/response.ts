import type { JsonObject } from '../../../core/json'
import { objectOf, objectsOf, textOf, written } from '../../../core/neutral/read'
import type { MappedEvent } from '../../openai-chat/chunk-form'
import { errorIn } from '../../../core/shared/errors'
import { reportedFailure } from '../../../core/shared/reported-failure'

/** The status of the last message. */
const lastStatus = 2

/** A message of the vendor, or a whole answer that holds the pieces of all, in OpenAI's words. */
export function mapFrame(frame: JsonObject): MappedEvent {
  const error = errorIn(frame) ?? reportedFailure(frame, 'payload' in frame)
  if (error !== null) return { error }
  const header = objectOf(frame['header'])
  const payload = objectOf(frame['payload'])
  const choices = objectOf(payload['choices'])
  const pieces = objectsOf(choices['text'])
  const isLast = header['status'] === lastStatus || choices['status'] === lastStatus
  const joined = (name: string) => pieces.map((piece) => textOf(piece[name])).join('')
  const chunk = written({
    id: textOf(header['sid']),
    choices: [
      {
        index: 0,
        delta: {
          content: joined('content'),
          reasoning_content: joined('reasoning_content'),
          function_call: pieces.map((piece) => objectOf(piece['function_call'])).find(({ name }) => name !== undefined),
        },
        finish_reason: isLast ? 'stop' : null,
      },
    ],
    usage: readCounts(objectOf(objectOf(payload['usage'])['text'])),
  })
  return { chunk }
}

/** `question_tokens`, the length of the last question alone, is part of the prompt. */
const readCounts = ({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): JsonObject | undefined =>
  prompt_tokens === undefined ? undefined : { prompt_tokens, completion_tokens, total_tokens }
