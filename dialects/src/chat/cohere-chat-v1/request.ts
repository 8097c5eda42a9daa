import type { PathContext, PromptShape, RequestView } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import { isObject, type JsonObject } from '../../core/json'
import { coherePrompt } from '../cohere-chat/prompt'
import { readCommon } from '../cohere-chat/request'
import { objectOf, objectsOf, omitUndefined, textOf } from '../../core/neutral/read'
import { missing, wrongType } from '../../core/shared/fields'

/**
 * The view of a chat request of the first version. https://docs.cohere.com/v1/reference/chat
 * @throws DialectError, also for a conversation that only the vendor has.
 */
export function readFirstRequest(body: JsonObject, pathContext: PathContext): RequestView {
  const { message = null, chat_history = null, conversation_id = null } = body
  if (message === null) throw missing('message')
  if (typeof message !== 'string') throw wrongType('message', 'a string', message)
  if (chat_history !== null && !Array.isArray(chat_history))
    throw wrongType('chat_history', 'an array of objects', chat_history)
  if (conversation_id !== null && conversation_id !== '')
    throw new DialectError(
      'conversation_id',
      'invalid_value',
      "Invalid 'conversation_id': conversations are not kept here; send 'chat_history'.",
    )
  return readCommon(body, pathContext)
}

const replaced: ReadonlySet<string> = new Set([
  'message',
  'chat_history',
  'preamble',
  'tools',
  'tool_results',
  'response_format',
  'documents',
  'citation_quality',
  'conversation_id',
  'force_single_step',
])

/** The request in the words of the second version. */
export function asSecondVersion(body: JsonObject): JsonObject {
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !replaced.has(name)))
  const { documents, citation_quality: quality, tools } = body
  const { schema, ...format } = objectOf(body['response_format'])
  return omitUndefined({
    ...rest,
    messages: messagesOf(body),
    tools: Array.isArray(tools) ? objectsOf(tools).map(asTool) : undefined,
    documents: Array.isArray(documents) ? objectsOf(documents).map(asDocument) : undefined,
    citation_options: typeof quality === 'string' ? { mode: quality.toUpperCase() } : undefined,
    response_format: 'type' in format ? omitUndefined({ ...format, json_schema: schema }) : undefined,
  })
}

function asTool({ name, description, parameter_definitions: definitions }: JsonObject): JsonObject {
  const all = Object.entries(objectOf(definitions)).filter(([, definition]) => isObject(definition))
  const properties = Object.fromEntries(all.map(([key, definition]) => [key, asProperty(objectOf(definition))]))
  const required = all.filter(([, definition]) => objectOf(definition)['required'] === true).map(([key]) => key)
  return { type: 'function', function: { name, description, parameters: { type: 'object', properties, required } } }
}

/** Types have their names in Python. https://docs.cohere.com/v1/docs/parameter-types-in-tool-use */
const types: Readonly<Record<string, string>> = {
  str: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
}

function asProperty({ description, type }: JsonObject): JsonObject {
  const [, name = ''] = /^(\w+)/.exec(textOf(type)) ?? []
  return omitUndefined({ type: types[name.toLowerCase()] ?? (name || undefined), description })
}

function asDocument({ id, ...data }: JsonObject): JsonObject {
  return omitUndefined({ id, data })
}

export const firstPrompt = (body: JsonObject): PromptShape => coherePrompt(asSecondVersion(body))

/** The body with these instructions when it has none; with `isFirst` also before its own. */
export function withPreamble(body: JsonObject, text: string, isFirst: boolean): JsonObject {
  const own = textOf(body['preamble'])
  if (text === '' || (own !== '' && !isFirst)) return body
  return { ...body, preamble: own === '' ? text : `${text}\n${own}` }
}

/** The conversation of a request, in the words of the second version. */
function messagesOf(body: JsonObject): readonly JsonObject[] {
  const conversation = new Conversation()
  conversation.addMessage('system', body['preamble'])
  for (const entry of objectsOf(body['chat_history'])) conversation.add(entry)
  const results = objectsOf(body['tool_results'])
  // In a single step the question comes again, before what its tools gave back.
  const isAgain = results.length > 0 && !conversation.isWaiting
  if (results.length === 0 || isAgain) conversation.addMessage('user', body['message'])
  conversation.give(results)
  if (results.length > 0 && !isAgain) conversation.addMessage('user', body['message'])
  return conversation.messages
}

const roles: Readonly<Record<string, string>> = { SYSTEM: 'system', USER: 'user', CHATBOT: 'assistant' }

/** Calls have no ids in this version: results belong to the first call of their tool that waits. */
class Conversation {
  readonly messages: JsonObject[] = []
  /** Ids of calls by the name of their tool, and how many of them have results. */
  readonly #byName = new Map<string, { readonly ids: string[]; answered: number }>()
  #waiting = 0
  #calls = 0

  get isWaiting(): boolean {
    return this.#waiting > 0
  }

  add(entry: JsonObject): void {
    const role = textOf(entry['role']).toUpperCase()
    if (role === 'TOOL') return this.give(objectsOf(entry['tool_results']))
    const calls = objectsOf(entry['tool_calls'])
    if (calls.length === 0) this.addMessage(roles[role] ?? 'user', entry['message'])
    else this.#call(calls, textOf(entry['message']))
  }

  addMessage(role: string, text: unknown): void {
    if (textOf(text) !== '') this.messages.push({ role, content: text })
  }

  give(results: readonly JsonObject[]): void {
    const calls = results.map(({ call }) => objectOf(call))
    const counts = new Map<string, number>()
    const uncalled = calls.filter((call) => {
      const name = textOf(call['name'])
      const { ids, answered } = this.#callsOf(name)
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return count > ids.length - answered
    })
    if (uncalled.length > 0) this.#call(uncalled, '')
    for (const [index, { outputs }] of results.entries()) {
      const id = this.#take(textOf(calls[index]?.['name']))
      this.messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(outputs ?? []) })
    }
  }

  #callsOf(name: string) {
    const known = this.#byName.get(name) ?? { ids: [], answered: 0 }
    this.#byName.set(name, known)
    return known
  }

  /** Returns the id of the first call of a tool that waits, which has its result then. */
  #take(name: string): string {
    const calls = this.#callsOf(name)
    const id = calls.ids[calls.answered] ?? ''
    calls.answered += 1
    this.#waiting -= 1
    return id
  }

  #call(calls: readonly JsonObject[], plan: string): void {
    const tool_calls = calls.map(({ name, parameters }) => {
      const id = `call_${this.#calls}`
      this.#calls += 1
      this.#waiting += 1
      this.#callsOf(textOf(name)).ids.push(id)
      return { id, type: 'function', function: { name, arguments: JSON.stringify(parameters ?? {}) } }
    })
    this.messages.push(omitUndefined({ role: 'assistant', tool_plan: plan || undefined, tool_calls }))
  }
}
