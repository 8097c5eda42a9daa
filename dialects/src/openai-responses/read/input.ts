import { DialectError } from '../../dialect-error'
import type { JsonObject } from '../../json'
import type { Message, Part, Role, ThinkingPart, ToolCallPart, ToolResultPart } from '../../neutral/call'
import { jsonTextOf, objectsOf, textOf, textOrNull } from '../../neutral/read'
import { readToolId } from '../../anthropic-messages/tool-ids'
import { dialectId } from '../name'
import { freeTextArguments } from '../free-text'
import { readContent, readOutput } from './content'

const roles: readonly Role[] = ['system', 'developer', 'user', 'assistant']

/**
 * The instructions and the conversation. What the model said, thought and called since the user last spoke becomes one
 * message, and so do the results of tools that follow one another.
 * @throws DialectError for what only the vendor keeps.
 */
export function readInput(body: JsonObject): Message[] {
  const turns = new Turns()
  turns.add('system', readContent(body['instructions']))
  const { input } = body
  if (typeof input === 'string') turns.add('user', readContent(input))
  objectsOf(input).forEach((item, place) => {
    addItem(turns, item, place)
  })
  return turns.messages
}

class Turns {
  readonly messages: { readonly role: Role; readonly parts: Part[] }[] = []
  /** The names of the calls so far. */
  readonly names = new Map<string, string>()

  add(role: Role, parts: readonly Part[]): void {
    if (parts.length === 0) return
    const last = this.messages.at(-1)
    const isMore = last?.role === role && (role === 'assistant' || [...last.parts, ...parts].every(isResult))
    if (isMore) last.parts.push(...parts)
    else this.messages.push({ role, parts: [...parts] })
  }
}

const isResult = ({ kind }: Part): boolean => kind === 'tool-result'

function addItem(turns: Turns, item: JsonObject, place: number): void {
  const type = textOf(item['type']) || (item['role'] === undefined ? 'item_reference' : 'message')
  switch (type) {
    case 'message':
      return turns.add(roles.find((role) => role === item['role']) ?? 'user', readContent(item['content']))
    case 'reasoning':
      return turns.add('assistant', readReasoning(item))
    case 'function_call':
    case 'custom_tool_call': {
      const call = readCall(item, `call_${place}`)
      turns.names.set(call.id, call.name)
      return turns.add('assistant', [call])
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return turns.add('user', [readResult(item, turns.names)])
    case 'item_reference':
      throw unkept(`input[${place}]`, 'a reference to an item')
    default: {
      const isAnswered = type.endsWith('_output') || type.endsWith('_response')
      return turns.add(isAnswered ? 'user' : 'assistant', [{ kind: 'own', dialect: dialectId, value: item }])
    }
  }
}

/** What the vendor keeps is unknown to every other. */
export const unkept = (param: string, what: string): DialectError =>
  new DialectError(
    param,
    'invalid_value',
    `Invalid '${param}': ${what} cannot be resolved for this model. Send the whole conversation in 'input' instead.`,
  )

const textsOf = (list: unknown): string[] => objectsOf(list).map((part) => textOf(part['text']))

/** Raw thoughts where there are any, else their summary, a paragraph for each part. Without either it is only signed. */
function readReasoning(item: JsonObject): ThinkingPart[] {
  const raw = textsOf(item['content'])
  const summary = textsOf(item['summary'])
  const texts = raw.length > 0 ? raw : summary
  const signature = textOrNull(item['encrypted_content'])
  const id = textOrNull(item['id'])
  const members = { ...(signature !== null && { signature }), ...(id !== null && { id }) }
  if (texts.length === 0)
    return signature === null ? [] : [{ kind: 'thinking', text: '', isRedacted: true, ...members }]
  const text = texts.join('\n\n')
  return [{ kind: 'thinking', text, ...(raw.length === 0 && { isSummary: true }), ...members }]
}

function readCall(item: JsonObject, fallbackId: string): ToolCallPart {
  const itemId = textOrNull(item['id'])
  return {
    kind: 'tool-call',
    ...readToolId(textOf(item['call_id']) || itemId || fallbackId),
    name: textOf(item['name']),
    argumentsText:
      item['type'] === 'custom_tool_call' ? freeTextArguments(textOf(item['input'])) : jsonTextOf(item['arguments']),
    ...(itemId !== null && { itemId }),
  }
}

function readResult(item: JsonObject, names: ReadonlyMap<string, string>): ToolResultPart {
  const callId = readToolId(textOf(item['call_id'])).id
  const name = names.get(callId) ?? textOf(item['name'])
  return { kind: 'tool-result', callId, name, parts: readOutput(item['output']), isError: false }
}
