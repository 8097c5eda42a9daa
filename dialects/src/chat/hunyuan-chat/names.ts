import { isObject, type JsonObject } from '../../core/json'
import { objectOf } from '../../core/neutral/read'

/** A whole answer stands in a member; an event of a stream does not. */
export const responseIn = (answer: JsonObject): JsonObject =>
  isObject(answer['Response']) ? objectOf(answer['Response']) : answer

/** The same value with its members named as OpenAI names them: `FinishReason` is `finish_reason`. */
export const withSnakeNames = (value: unknown): unknown =>
  renameMembers(value, (name) => name.replaceAll(/(?<!^)(?=[A-Z])/g, '_').toLowerCase())

/** The same value with its members named as Tencent Cloud names them: `top_p` is `TopP`. */
export const withPascalNames = (value: unknown): unknown =>
  renameMembers(value, (name) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))

/** The names within are the tool's. */
const isArguments = (name: string): boolean => name === 'Arguments' || name === 'arguments'

function renameMembers(value: unknown, change: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameMembers(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      change(name),
      isArguments(name) ? member : renameMembers(member, change),
    ]),
  )
}
