import type { ChunkChange } from '../../core/dialect'
import { isObject, type JsonObject } from '../../core/json'

const opening = '<think>\n'
const closing = '\n</think>\n'

const reasoningOf = (message: JsonObject): string => {
  const text = message['reasoning_content'] ?? message['reasoning']
  return typeof text === 'string' ? text : ''
}

function withoutReasoning(message: JsonObject): JsonObject {
  const { reasoning_content: _one, reasoning: _other, ...rest } = message
  return rest
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A whole answer whose reasoning stands between think tags in its content; the same object when it has none. */
export function thinkingToContent(answer: JsonObject): JsonObject {
  const choices = listOf(answer['choices'])
  const changed = choices.map((choice) =>
    isObject(choice) && isObject(choice['message']) ? withMessage(choice, choice['message']) : choice,
  )
  return changed.every((choice, index) => choice === choices[index]) ? answer : { ...answer, choices: changed }
}

function withMessage(choice: JsonObject, message: JsonObject): JsonObject {
  const reasoning = reasoningOf(message)
  if (reasoning === '') return choice
  const content = typeof message['content'] === 'string' ? message['content'] : ''
  return { ...choice, message: { ...withoutReasoning(message), content: opening + reasoning + closing + content } }
}

/** Streams reasoning as content between think tags. The tags are there only when there is reasoning. */
export class ThinkingToContent implements ChunkChange {
  /** The choices whose tag is open. */
  readonly #open = new Set<number>()
  /** What all chunks of the answer share. */
  #frame: JsonObject = {}

  chunk(chunk: JsonObject): readonly JsonObject[] {
    const { choices, usage: _, ...frame } = chunk
    this.#frame = frame
    if (!Array.isArray(choices)) return [chunk]
    return [{ ...chunk, choices: choices.map((choice: unknown) => (isObject(choice) ? this.#choice(choice) : choice)) }]
  }

  end(): readonly JsonObject[] {
    return [...this.#open].map((index) => ({
      ...this.#frame,
      choices: [{ index, delta: { content: closing }, finish_reason: null }],
    }))
  }

  #choice(choice: JsonObject): JsonObject {
    const index = typeof choice['index'] === 'number' ? choice['index'] : 0
    const delta = isObject(choice['delta']) ? choice['delta'] : {}
    const reasoning = reasoningOf(delta)
    const content = typeof delta['content'] === 'string' ? delta['content'] : ''
    let text = ''
    if (reasoning !== '') {
      if (!this.#open.has(index)) text += opening
      this.#open.add(index)
      text += reasoning
    }
    const isOver = content !== '' || Array.isArray(delta['tool_calls']) || typeof choice['finish_reason'] === 'string'
    if (isOver && this.#open.delete(index)) text += closing
    text += content
    const rest = withoutReasoning(delta)
    return { ...choice, delta: text === '' ? rest : { ...rest, content: text } }
  }
}
