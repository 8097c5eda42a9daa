import { isObject, type JsonObject } from '../../core/json'
import { listOf, member, nameIn } from '../../core/shared/google-members'

/** The body with these instructions when it has none; with `isFirst` also before its own. */
export function withSystemPrompt(body: JsonObject, text: string, isFirst: boolean): JsonObject {
  if (text === '') return body
  const own = member(body, 'systemInstruction')
  const parts = typeof own === 'string' ? [{ text: own }] : listOf(isObject(own) ? own['parts'] : undefined)
  const isEmpty = parts.every((part) => part['text'] === '')
  if (!isEmpty && !isFirst) return body
  const instruction = { ...(isObject(own) ? own : {}), parts: isEmpty ? [{ text }] : [{ text }, ...parts] }
  return { ...body, [nameIn(body, 'systemInstruction')]: instruction }
}
