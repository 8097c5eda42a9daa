import type { PromptShape } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { chatPrompt } from '../../core/shared/prompt'
import { asChatBody } from './read/call'

/** The messages, and the documents next to them. */
export function coherePrompt(body: JsonObject): PromptShape {
  const shape = chatPrompt(asChatBody(body))
  const { documents } = body
  if (!Array.isArray(documents)) return shape
  const texts = documents.flatMap((document: unknown) =>
    isObject(document) ? JSON.stringify(document) : String(document),
  )
  return { ...shape, texts: [...shape.texts, ...texts] }
}
