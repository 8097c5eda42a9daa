import { DialectError } from '../../../core/dialect-error'
import { isObject, type JsonObject } from '../../../core/json'
import type {
  FilePart,
  ImagePart,
  Message,
  Part,
  Role,
  ShownPart,
  Source,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../core/neutral/call'
import { jsonTextOf, objectOf, objectsOf, partsOf, readDataUrl, textOf, textOrNull } from '../../../core/neutral/read'
import { readToolId } from '../../anthropic-messages/tool-ids'
import { cacheOf } from '../../openai-chat/cache-mark'
import { dialectId } from '../name'
import { freeTextArguments } from '../../../core/shared/free-text'
import { calledTool, isToolOutput, outputText } from '../client-tools'
import type { DeclaredTools } from './tools'
import { shownParts } from '../../../core/neutral/left-out'
import { fileMime, isDocument } from '../../../core/shared/prompt-media'
import { readAnnotations } from '../citations'

const roles: readonly Role[] = ['system', 'developer', 'user', 'assistant']

/**
 * The instructions and the conversation. What the model said, thought and called since the user last spoke becomes one
 * message, and so do the results of tools that follow one another.
 * @throws DialectError for what only the vendor keeps or can read.
 */
export function readInput(body: JsonObject, declared: DeclaredTools): InputRead {
  const turns = new Turns(declared)
  turns.add('system', readContent(body['instructions']))
  const { input } = body
  if (typeof input === 'string') turns.add('user', readContent(input))
  objectsOf(input).forEach((item, index) => {
    addItem(turns, item, index)
  })
  return turns
}

interface InputRead {
  readonly messages: readonly Message[]
  readonly leftOut: readonly string[]
}

class Turns implements InputRead {
  readonly messages: { readonly role: Role; readonly parts: Part[] }[] = []
  readonly leftOut: string[] = []
  /** The names of the calls so far, and their ids by what their outputs may name instead. */
  readonly names = new Map<string, string>()
  readonly ids = new Map<string, string>()

  constructor(readonly declared: DeclaredTools) {}

  add(role: Role, parts: readonly Part[]): void {
    if (parts.length === 0) return
    const last = this.messages.at(-1)
    // Results come behind one another alone, so the first of a message stands for all.
    const isMore =
      last?.role === role && (role === 'assistant' || [...last.parts.slice(0, 1), ...parts].every(isResult))
    if (isMore) last.parts.push(...parts)
    else this.messages.push({ role, parts: [...parts] })
  }
}

const isResult = ({ kind }: Part): boolean => kind === 'tool-result'

/** Items that bring tools instead of words. */
export const bringsTools = ({ type }: JsonObject): boolean =>
  type === 'additional_tools' || type === 'tool_search_output'

/** An item that changes a setting from then on. */
export const isUpdate = ({ type, reasoning, text }: JsonObject): boolean =>
  type === 'configuration_update' && (isObject(reasoning) || isObject(text))

function addItem(turns: Turns, item: JsonObject, index: number): void {
  const type = textOf(item['type']) || (item['role'] === undefined ? 'item_reference' : 'message')
  switch (type) {
    case 'message':
      return turns.add(roles.find((role) => role === item['role']) ?? 'user', readContent(item['content']))
    case 'reasoning':
      return turns.add('assistant', readReasoning(item))
    case 'item_reference':
      throw unkept(`input[${index}]`, 'a reference to an item')
    case 'additional_tools':
      return
    default:
      return isUpdate(item) ? undefined : addOther(turns, item, type, index)
  }
}

function addOther(turns: Turns, item: JsonObject, type: string, index: number): void {
  const call = readCall(item, type, turns.declared, `call_${index}`)
  if (call) {
    turns.names.set(call.id, call.name)
    if (call.itemId) turns.ids.set(call.itemId, call.id)
    return turns.add('assistant', [call])
  }
  const result = readResult(item, type, turns)
  if (result) return turns.add('user', [result])
  if (holdsConversation(item, type)) throw unkept(`input[${index}]`, `an item of the type '${type}'`)
  const isAnswered = type.endsWith('_output') || type.endsWith('_response')
  turns.add(isAnswered ? 'user' : 'assistant', [{ kind: 'own', dialect: dialectId, value: item }])
}

/** What was said before, in a cipher that only the vendor can read, or the request for such an item. */
const holdsConversation = (item: JsonObject, type: string): boolean =>
  type.includes('compaction') || textOf(item['encrypted_content']) !== ''

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

/** A call of the client's; null for all other items. */
function readCall(item: JsonObject, type: string, declared: DeclaredTools, fallbackId: string): ToolCallPart | null {
  const kind = calledTool(type)
  const isHosted = kind === undefined ? !isPlainCall(item, type) : item['execution'] === 'server'
  if (isHosted) return null
  const itemId = textOrNull(item['id'])
  return {
    kind: 'tool-call',
    ...readToolId(textOf(item['call_id']) || itemId || fallbackId),
    name: kind ? declared.nameOf(kind.type) : declared.nameOf(textOf(item['name']), textOf(item['namespace'])),
    argumentsText: kind ? JSON.stringify(kind.tool.argumentsOf(item)) : argumentsText(item, type),
    ...(itemId !== null && { itemId }),
  }
}

/** Also one of a kind that we do not know. */
const isPlainCall = (item: JsonObject, type: string): boolean =>
  type === 'function_call' ||
  type === 'custom_tool_call' ||
  ('call_id' in item && 'name' in item && 'arguments' in item)

const argumentsText = (item: JsonObject, type: string): string =>
  type === 'custom_tool_call' ? freeTextArguments(textOf(item['input'])) : jsonTextOf(item['arguments'])

/** The result of a call; null for all other items. */
function readResult(item: JsonObject, type: string, { names, ids, leftOut }: Turns): ToolResultPart | null {
  const rawCallId = readToolId(textOf(item['call_id']) || textOf(item['id'])).id
  const callId = ids.get(rawCallId) ?? rawCallId
  const isPlain = type === 'function_call_output' || type === 'custom_tool_call_output'
  const hasOutput = typeof item['output'] === 'string' || Array.isArray(item['output'])
  const isOfCall = names.has(callId) && (isToolOutput(type) || hasOutput)
  if (!isPlain && !isOfCall) return null
  const name = names.get(callId) ?? textOf(item['name'])
  const parts = isToolOutput(type) ? readOutput(outputText(item), leftOut) : readOutput(item['output'], leftOut)
  const cache = parts.findLast((part) => part.cache !== undefined)?.cache
  return {
    kind: 'tool-result',
    callId,
    name,
    parts: parts.map(({ cache: _cache, ...part }) => part),
    isError: isToolOutput(type) && item['status'] === 'failed',
    ...(cache && { cache }),
  }
}

/** What a message holds. https://platform.openai.com/docs/api-reference/responses/create#responses-create-input */
function readContent(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return partsOf(content).map(readPart)
}

/** What a tool answered. */
const readOutput = (output: unknown, leftOut: string[]): ShownPart[] => shownParts(readContent(output), leftOut)

function readPart(part: JsonObject): Part {
  const mark = cacheOf(part)
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text': {
      const citations = readAnnotations(part)
      return { kind: 'text', text: textOf(part['text']), ...(citations.length > 0 && { citations }), ...mark }
    }
    case 'refusal':
      return { kind: 'refusal', text: textOf(part['refusal']) }
    case 'input_image':
      return { ...readImage(part), ...mark }
    case 'input_file':
      return { ...readFile(part), ...mark }
    case 'input_audio':
      return { ...readAudio(objectOf(part['input_audio'])), ...mark }
    default:
      return { kind: 'own', dialect: dialectId, value: part }
  }
}

/** An address, or what a data URL holds. */
function sourceOf(url: string): Source {
  const data = readDataUrl(url)
  return data ? { kind: 'data', ...data } : { kind: 'url', url }
}

function readImage(part: JsonObject): ImagePart | FilePart {
  const id = textOrNull(part['file_id'])
  const url = textOf(part['image_url']) || textOf(objectOf(part['image_url'])['url'])
  const detail = textOrNull(part['detail'])
  const source: Source = id !== null && url === '' ? { kind: 'id', id } : sourceOf(url)
  if (isDocument(source)) return { kind: 'file', source }
  return { kind: 'image', source, ...(detail !== null && detail !== 'auto' && { detail }) }
}

function readFile(part: JsonObject): FilePart {
  const name = textOrNull(part['filename'])
  return { kind: 'file', source: fileSource(part, name), ...(name !== null && { name }) }
}

function fileSource(part: JsonObject, name: string | null): Source {
  const data = textOf(part['file_data'])
  const url = textOf(part['file_url'])
  if (data !== '') {
    const sent = data.startsWith('data:') ? readDataUrl(data) : null
    return { kind: 'data', data: sent?.data ?? data, mime: fileMime(name, sent?.mime) }
  }
  return url === '' ? { kind: 'id', id: textOf(part['file_id']) } : sourceOf(url)
}

const readAudio = (audio: JsonObject): Part => ({
  kind: 'audio',
  source: { kind: 'data', data: textOf(audio['data']), mime: `audio/${textOf(audio['format']) || 'wav'}` },
})
