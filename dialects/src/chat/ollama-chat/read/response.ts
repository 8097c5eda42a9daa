import type { JsonObject } from '../../../core/json'
import {
  jsonTextOf,
  numberOrNull,
  objectOf,
  objectsOf,
  textOf,
  omitUndefined,
  textsOf,
} from '../../../core/neutral/read'
import type { MapEvent } from '../../openai-chat/chunk-form'
import { errorIn } from '../../../core/shared/errors'
import { reportedFailure } from '../../../core/shared/reported-failure'

/** Reads a whole response, or one line of a stream, as a chunk in OpenAI's words. https://docs.ollama.com/api/chat */
export function createMapper(): MapEvent {
  let callCount = 0
  return (event) => {
    const error = errorIn(event) ?? reportedFailure(event, 'message' in event)
    if (error !== null) return { error }
    const message = objectOf(event['message'])
    const calls = objectsOf(message['tool_calls']).map((call) => readToolCall(call, callCount++))
    const reason = textOf(event['done_reason']) || 'stop'
    const isDone = event['done'] === true
    const { role: _role, content: _content, thinking: _thinking, tool_calls: _calls, images, ...rest } = message
    const delta = omitUndefined({
      ...rest,
      images: imagesOf(images ?? event['image']),
      role: 'assistant',
      content: textOf(message['content']),
      reasoning_content: textOf(message['thinking']) || undefined,
      tool_calls: calls.length > 0 ? calls : undefined,
    })
    const choice = {
      index: 0,
      delta,
      finish_reason: isDone ? (reason === 'stop' && callCount > 0 ? 'tool_calls' : reason) : null,
      ...(event['logprobs'] ? { logprobs: { content: event['logprobs'] } } : {}),
    }
    return {
      chunk: {
        id: '',
        model: event['model'],
        created: createdIn(event),
        choices: [choice],
        ...(isDone && { usage: usageIn(event) }),
      },
    }
  }
}

/** Pictures that a model drew, in base64; of unknown kind, so as most are. */
function imagesOf(images: unknown): JsonObject[] | undefined {
  const all = typeof images === 'string' ? [images] : textsOf(images)
  const shown = all.filter((data) => data !== '')
  return shown.length === 0 ? undefined : shown.map((data) => ({ image_url: { url: `data:image/png;base64,${data}` } }))
}

/** Each call comes whole; older servers give none of them an id. */
function readToolCall(call: JsonObject, index: number): JsonObject {
  const { name, arguments: args } = objectOf(call['function'])
  const id = textOf(call['id']) || `call_${index}`
  return { index, id, type: 'function', function: { name, arguments: jsonTextOf(args) || '{}' } }
}

const createdIn = ({ created_at: at }: JsonObject): number => {
  const ms = Date.parse(textOf(at))
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000)
}

/** Absent counts are zero: a prompt that was in the cache is left out by old servers. */
function usageIn(event: JsonObject): JsonObject | undefined {
  const prompt = numberOrNull(event['prompt_eval_count'])
  const completion = numberOrNull(event['eval_count'])
  if (prompt === null && completion === null) return undefined
  return {
    prompt_tokens: prompt ?? 0,
    completion_tokens: completion ?? 0,
    total_tokens: (prompt ?? 0) + (completion ?? 0),
  }
}
