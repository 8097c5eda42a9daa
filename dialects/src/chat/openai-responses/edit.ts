import { isObject, type JsonObject } from '../../core/json'

const isInstruction = (item: unknown): boolean =>
  isObject(item) && (item['role'] === 'system' || item['role'] === 'developer')

/** The body with these instructions when it has none, there or in its input; with `isFirst` also before its own. */
export function withSystemPrompt(body: JsonObject, text: string, isFirst: boolean): JsonObject {
  const { instructions, input } = body
  if (text === '') return body
  const own = typeof instructions === 'string' ? instructions : ''
  const hasOwn = own !== '' || (Array.isArray(input) && input.some(isInstruction))
  if (hasOwn && !isFirst) return body
  return { ...body, instructions: own === '' ? text : `${text}\n${own}` }
}
