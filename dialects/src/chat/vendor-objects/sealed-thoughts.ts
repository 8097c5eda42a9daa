import { readToolId } from '../anthropic-messages/tool-ids'
import { carriedThoughts, noSignature } from '../gemini/carried-thoughts'
import { isObject, type JsonObject } from '../../core/json'
import { objectOf } from '../../core/neutral/read'

/** OpenAI's ciphers begin like this. */
export const isCipher = (text: string): boolean => text.startsWith('gAAAA')

/** The same for a signature in either of the alphabets of base64: Google's client for Python returns it in the other one. */
export const sealId = (signature: string): string =>
  signature
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')

const noTexts: readonly string[] = []

/** What Claude signs is read by any of its accounts. */
export const ciphersIn = (text: string): readonly string[] => (isCipher(text) ? [text] : noTexts)

/** The signature that rides in the id of a call, for dialects without a place for it. */
export function sealsInId(id: string): readonly string[] {
  const { signature } = readToolId(id)
  return signature === undefined ? noTexts : [signature]
}

/** Google's own signature of a call, or those of the thoughts that ride in it. */
export function sealsInSignature(signature: string): readonly string[] {
  if (signature === noSignature) return noTexts
  const carried = carriedThoughts(signature)
  return carried ? carried.flatMap((thought) => ciphersIn(thought.signature ?? '')) : [signature]
}

/**
 * Returns the request, in any dialect, without what an account signed, sealed or stored of its reasoning. The conversation itself stays, its
 * items without the ids by which OpenAI would look for the reasoning that came with them.
 */
export function withoutSealedReasoning(body: JsonObject): JsonObject {
  const changed: Record<string, unknown> = { ...body }
  for (const name of ['input', 'messages', 'contents'] as const)
    if (Array.isArray(body[name])) changed[name] = body[name].flatMap(withoutSeals)
  if (Array.isArray(changed['input'])) changed['input'] = changed['input'].map(withoutItemId)
  return changed
}

/** What a client may say without the vendor's id: an answer, and calls of functions and of its own tools. */
const spareId = /^(?:msg|fc|ctc)_/

function withoutItemId(item: unknown): unknown {
  if (!isObject(item) || typeof item['id'] !== 'string' || !spareId.test(item['id'])) return item
  const { id: _, ...rest } = item
  return rest
}

const thoughts: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking'])

const isSealedThought = ({ type, encrypted_content: sealed, id }: JsonObject): boolean =>
  thoughts.has(type) ||
  (type === 'reasoning' && typeof sealed === 'string' && sealed !== '') ||
  ((type === 'reasoning' || type === 'item_reference') && typeof id === 'string' && id.startsWith('rs_'))

/** A message, an item or a part. The parts of a message, and its calls, are such too. */
function withoutSeals(value: unknown): unknown[] {
  if (!isObject(value)) return [value]
  if (isSealedThought(value)) return []
  const rest: Record<string, unknown> = { ...value }
  for (const list of ['content', 'parts', 'tool_calls'])
    if (Array.isArray(rest[list])) rest[list] = rest[list].flatMap(withoutSeals)
  for (const id of ['id', 'call_id', 'tool_call_id', 'tool_use_id'])
    if (typeof rest[id] === 'string') rest[id] = readToolId(rest[id]).id
  for (const signature of ['thoughtSignature', 'thought_signature']) {
    if (rest[signature] === undefined) continue
    if (rest['functionCall'] ?? rest['function_call']) rest[signature] = noSignature
    else delete rest[signature]
  }
  delete rest['reasoning_details']
  delete rest['thinking_blocks']
  if (objectOf(rest['extra_content'])['google'] !== undefined) delete rest['extra_content']
  return [rest]
}

const names = { input: 'encrypted reasoning', messages: 'signed thoughts', contents: 'thought signatures' } as const

/**
 * Returns a request, of any dialect, without the reasoning that only the account or model can read that wrote it, or itself where it has
 * none. `warn` names what is left out.
 */
export function withoutForeignReasoning(body: JsonObject, warn: (what: string) => void): JsonObject {
  const left = withoutSealedReasoning(body)
  const changed = keysOf(names).filter((name) => JSON.stringify(left[name]) !== JSON.stringify(body[name]))
  for (const name of changed) warn(name === 'input' && isDetached(body, left) ? 'the ids of items' : names[name])
  if (changed.length === 0) return body
  return Array.isArray(left['messages']) ? withoutEmpty(left, left['messages']) : left
}

const isDetached = (body: JsonObject, left: JsonObject): boolean =>
  Array.isArray(body['input']) && JSON.stringify(body['input'].map(withoutItemId)) === JSON.stringify(left['input'])

const keysOf = <Name extends string>(object: Readonly<Record<Name, string>>): Name[] => Object.keys(object) as Name[]

/** Anthropic takes no message without content, and no thinking in a turn that goes on without its thought. */
function withoutEmpty(body: JsonObject, all: readonly unknown[]): JsonObject {
  const messages = all.filter((message) => !isObject(message) || listOf(message['content'])?.length !== 0)
  const { thinking, context_management: _, ...rest } = body
  const isThinking = isObject(thinking) && thinking['type'] === 'enabled'
  return isThinking && goesOn(messages.at(-1)) ? { ...rest, messages } : { ...body, messages }
}

const listOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null)

const goesOn = (message: unknown): boolean =>
  isObject(message) &&
  listOf(message['content'])?.some((block) => isObject(block) && block['type'] === 'tool_result') === true
