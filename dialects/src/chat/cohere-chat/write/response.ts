import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { objectOf, textOf } from '../../../core/neutral/read'
import { cohereError } from '../errors'
import { CohereEventWriter, endMark } from './events'

/** A stream of a chat. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new CohereEventWriter(answering)
  return { write: (events) => events.flatMap((event) => writer.take(event)) }
}

export const eventText = (event: JsonObject): string =>
  event === endMark ? 'data: [DONE]\n\n' : `event: ${textOf(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`

/** A whole chat: what its stream adds up to. After a failure, the error. */
export function writeAnswer(events: readonly AnswerEvent[], answering: Answering): JsonObject {
  const writer = new CohereEventWriter(answering)
  const whole = new WholeChat()
  for (const event of events) for (const written of writer.take(event)) whole.take(written)
  return writer.error ? cohereError(writer.error) : whole.value
}

class WholeChat {
  readonly #contents: JsonObject[] = []
  readonly #calls: JsonObject[] = []
  readonly #citations: unknown[] = []
  #id = ''
  #ending: JsonObject = {}

  take(event: JsonObject): void {
    const message = objectOf(objectOf(event['delta'])['message'])
    const content = objectOf(message['content'])
    switch (event['type']) {
      case 'content-start':
        this.#contents.push({ ...content })
        return
      case 'content-delta':
        return addTexts(this.#contents.at(-1), content)
      case 'tool-call-start':
        this.#calls.push(structuredClone(objectOf(message['tool_calls'])))
        return
      case 'tool-call-delta':
        return addTexts(
          objectOf(this.#calls.at(-1)?.['function']),
          objectOf(objectOf(message['tool_calls'])['function']),
        )
      case 'citation-start':
        this.#citations.push(message['citations'])
        return
      case 'message-end':
        this.#id = textOf(event['id'])
        this.#ending = objectOf(event['delta'])
    }
  }

  get value(): JsonObject {
    const { finish_reason, usage } = this.#ending
    return {
      id: this.#id,
      finish_reason,
      message: {
        role: 'assistant',
        ...((this.#contents.length > 0 || this.#calls.length === 0) && { content: this.#contents }),
        ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
        ...(this.#citations.length > 0 && { citations: this.#citations }),
      },
      ...(usage !== undefined && { usage }),
    }
  }
}

/** Adds each text to that of the same name. */
function addTexts(to: { [name: string]: unknown } | undefined, texts: JsonObject): void {
  if (to === undefined) return
  for (const [name, text] of Object.entries(texts)) to[name] = textOf(to[name]) + textOf(text)
}
