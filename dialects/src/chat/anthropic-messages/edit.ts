import type { JsonObject } from '../../core/json'

/** The body with these instructions when it has none; with `isFirst` also before its own. */
export function withSystemPrompt(body: JsonObject, text: string, isFirst: boolean): JsonObject {
  const own = body['system']
  if (text === '') return body
  if (own === undefined || own === null || own === '' || (Array.isArray(own) && own.length === 0))
    return { ...body, system: text }
  if (!isFirst) return body
  return {
    ...body,
    system: Array.isArray(own)
      ? [{ type: 'text', text }, ...own]
      : [text, own].filter((part) => typeof part === 'string').join('\n'),
  }
}
