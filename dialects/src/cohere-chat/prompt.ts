import type { PromptShape } from '../dialect'
import { isObject, type JsonObject } from '../json'
import { chatPrompt } from '../shared/prompt'
import { asChatBody } from './read/chat-body'

/** The messages, and the documents beside them. */
export function coherePrompt(body: JsonObject): PromptShape {
  const shape = chatPrompt(asChatBody(body))
  const { documents } = body
  if (!Array.isArray(documents)) return shape
  const texts = documents.flatMap((document: unknown) =>
    isObject(document) ? JSON.stringify(document) : String(document),
  )
  return { ...shape, texts: [...shape.texts, ...texts] }
}
