import type { JsonObject } from '../../../core/json'
import type { EventReader } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { objectOf, objectsOf, parsedObject, textOf } from '../../../core/neutral/read'
import { CohereEventReader } from './events'

/** A whole answer, read as the stream that would have brought it. */
export function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const reader = new CohereEventReader()
  return eventsOf(answer).flatMap((event) => reader.take(event))
}

/** The message of an error is a text; that of an answer is an object. */
function eventsOf(answer: JsonObject): JsonObject[] {
  if (typeof answer['message'] === 'string' || answer['error']) return [{ ...answer, type: 'error' }]
  const { id, finish_reason, usage } = answer
  const message = objectOf(answer['message'])
  const plan = textOf(message['tool_plan'])
  return [
    { type: 'message-start', id },
    ...(plan === '' ? [] : [{ type: 'tool-plan-delta', delta: { message: { tool_plan: plan } } }]),
    ...contentEvents(message),
    ...objectsOf(message['tool_calls']).flatMap((call, index) => [
      { type: 'tool-call-start', index, delta: { message: { tool_calls: call } } },
      { type: 'tool-call-end', index },
    ]),
    { type: 'message-end', delta: { finish_reason, usage } },
  ]
}

/** Older answers have a mere text. Citations stand next to the content and name the item they belong to. */
function contentEvents({ content, citations }: JsonObject): JsonObject[] {
  const items = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
  const lone = items.findIndex(({ type }) => type === 'text')
  const contentIndexOf = (citation: JsonObject): unknown =>
    objectOf(items[Number(citation['content_index'])])['type'] === 'text' ? citation['content_index'] : lone
  return items.flatMap((item, index) => [
    { type: 'content-start', index, delta: { message: { content: item } } },
    ...objectsOf(citations)
      .filter((citation) => contentIndexOf(citation) === index)
      .map((citation) => ({ type: 'citation-start', delta: { message: { citations: citation } } })),
    { type: 'content-end', index },
  ])
}

/** Reads a stream. https://docs.cohere.com/docs/streaming */
export function createReader(): EventReader {
  const reader = new CohereEventReader()
  return {
    read: ({ name, data }) => {
      const event = parsedObject(data)
      if (event === null) return []
      return reader.take('type' in event || name === '' ? event : { ...event, type: name })
    },
    end: () => reader.end(),
  }
}
