import type { ChunkChange } from '../dialect'
import { isObject, type JsonObject } from '../json'
import { jsonTextOf } from '../neutral/read'

/** Some hosts give the arguments of a call as an object, where the dialect has JSON text and its clients can read nothing else. */
export const argumentsAsText: ChunkChange = { chunk: (chunk) => [withArgumentTexts(chunk)], end: () => [] }

/** Returns a whole response, or an event of one, whose calls have JSON text for arguments; the same object when they have. */
export const withItemTexts = (reported: JsonObject): JsonObject =>
  withMember(withMember(withList(ofItem(reported), 'output', ofItem), 'item', ofItem), 'response', withItemTexts)

/** Items of other kinds may have an object there. */
const ofItem = (item: JsonObject): JsonObject =>
  item['type'] === 'function_call' || item['type'] === 'response.function_call_arguments.done' ? ofFunction(item) : item

/** Whether an event has arguments that are an object or a list. */
export const hasObjectArguments = (event: string): boolean => /"arguments"\s*:\s*[{[]/.test(event)

/** Returns a whole answer, or a chunk, whose calls have JSON text for arguments; the same object when they have. */
export const withArgumentTexts = (answer: JsonObject): JsonObject => withList(answer, 'choices', ofChoice)

const ofChoice = (choice: JsonObject): JsonObject =>
  withMember(withMember(choice, 'message', ofMessage), 'delta', ofMessage)

const ofMessage = (message: JsonObject): JsonObject =>
  withMember(withList(message, 'tool_calls', ofCall), 'function_call', ofFunction)

const ofCall = (call: JsonObject): JsonObject => withMember(call, 'function', ofFunction)

function ofFunction(called: JsonObject): JsonObject {
  const text = jsonTextOf(called['arguments'])
  return text === '' || text === called['arguments'] ? called : { ...called, arguments: text }
}

type Change = (object: JsonObject) => JsonObject

function withMember(object: JsonObject, name: string, change: Change): JsonObject {
  const value = object[name]
  const changed = isObject(value) ? change(value) : value
  return changed === value ? object : { ...object, [name]: changed }
}

function withList(object: JsonObject, name: string, change: Change): JsonObject {
  const list: unknown = object[name]
  if (!Array.isArray(list)) return object
  const changed = list.map((item: unknown) => (isObject(item) ? change(item) : item))
  return changed.every((item, index) => item === list[index]) ? object : { ...object, [name]: changed }
}
