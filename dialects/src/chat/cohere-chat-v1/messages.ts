import type { JsonObject } from '../../core/json'
import { objectOf, objectsOf, textOf, omitUndefined } from '../../core/neutral/read'

/** The conversation of a request, in the words of the second version. */
export function messagesOf(body: JsonObject): readonly JsonObject[] {
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
  readonly #waiting: { readonly id: string; readonly name: string }[] = []
  #calls = 0

  get isWaiting(): boolean {
    return this.#waiting.length > 0
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
    const open = this.#waiting.map(({ name }) => name)
    const uncalled = calls.filter(({ name }) => {
      const place = open.indexOf(textOf(name))
      if (place >= 0) open.splice(place, 1)
      return place < 0
    })
    if (uncalled.length > 0) this.#call(uncalled, '')
    for (const [place, { outputs }] of results.entries()) {
      const name = textOf(calls[place]?.['name'])
      const [call] = this.#waiting.splice(
        this.#waiting.findIndex((waiting) => waiting.name === name),
        1,
      )
      this.messages.push({ role: 'tool', tool_call_id: call?.id ?? '', content: JSON.stringify(outputs ?? []) })
    }
  }

  #call(calls: readonly JsonObject[], plan: string): void {
    const tool_calls = calls.map(({ name, parameters }) => {
      const id = `call_${this.#calls}`
      this.#calls += 1
      this.#waiting.push({ id, name: textOf(name) })
      return { id, type: 'function', function: { name, arguments: JSON.stringify(parameters ?? {}) } }
    })
    this.messages.push(omitUndefined({ role: 'assistant', tool_plan: plan || undefined, tool_calls }))
  }
}
