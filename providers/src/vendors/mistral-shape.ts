import { isObject, type JsonObject } from '@tollgate/dialects'

import { type Change, mapObjects, onlyMembers, refusing, renameMember, composeShape, withMember } from '../shape'

/** The members Mistral documents; one it does not know fails the call. */
const bodyMembers = new Set([
  'model',
  'messages',
  'stream',
  'temperature',
  'top_p',
  'max_tokens',
  'stop',
  'random_seed',
  'metadata',
  'response_format',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'prediction',
  'prompt_mode',
  'reasoning_effort',
  'safe_prompt',
  'prompt_cache_key',
  'guardrails',
  'service_tier',
])

const messageMembers = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'prefix'])
/** The result of a tool may name it. */
const toolMembers = new Set([...messageMembers, 'name'])

const onMistralsNames: Change = (body, _target, warn) =>
  onlyMembers(
    renameMember(renameMember(body, 'max_completion_tokens', 'max_tokens'), 'seed', 'random_seed'),
    bodyMembers,
    warn,
  )

/** OpenAI's words for tiers in Mistral's. https://github.com/mistralai/client-ts, `RequestedServiceTier` */
const tiers: ReadonlyMap<unknown, string> = new Map([
  ['auto', 'auto'],
  ['default', 'standard_only'],
  ['standard_only', 'standard_only'],
])

const withTier: Change = (body, _target, warn) => {
  const { service_tier: tier } = body
  if (tier === undefined || tier === null) return body
  const known = tiers.get(tier)
  return known === undefined ? refusing(body, ['service_tier'], warn) : withMember(body, 'service_tier', known)
}

/** It knows no more than `xhigh`. https://github.com/mistralai/client-ts, `ReasoningEffort` */
const withEffort: Change = (body, _target, warn) => {
  if (body['reasoning_effort'] !== 'max') return body
  warn('the effort max, which is xhigh')
  return withMember(body, 'reasoning_effort', 'xhigh')
}

const withMessages: Change = (body, _target, warn) => {
  const others = new Set<string>()
  const shaped = mapObjects(body, 'messages', (message) => messageFor(message, (name) => others.add(name)))
  for (const name of others) warn(name)
  return shaped
}

function messageFor(message: JsonObject, warn: (what: string) => void): JsonObject {
  let shaped = onlyMembers(message, message['role'] === 'tool' ? toolMembers : messageMembers, warn, 'messages[].')
  if (shaped['role'] === 'developer') shaped = withMember(shaped, 'role', 'system')
  if (typeof shaped['tool_call_id'] === 'string') {
    shaped = withMember(shaped, 'tool_call_id', toolCallId(shaped['tool_call_id']))
  }
  shaped = mapObjects(shaped, 'tool_calls', withShortId)
  return mapObjects(shaped, 'content', withPlainImage)
}

const withShortId = (call: JsonObject): JsonObject =>
  typeof call['id'] === 'string' ? withMember(call, 'id', toolCallId(call['id'])) : call

/** An image's address stands alone, without an object around it. */
function withPlainImage(part: JsonObject): JsonObject {
  const { type, image_url: image } = part
  return type === 'image_url' && isObject(image) && typeof image['url'] === 'string'
    ? withMember(part, 'image_url', image['url'])
    : part
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const idLength = 9
const idForm = /^[0-9a-zA-Z]{9}$/

/**
 * Mistral takes ids of nine letters and digits only. Any other id becomes its digest (FNV-1a of 64 bits) in that form, so that
 * a call and its result keep one id in every later request of the conversation.
 */
export function toolCallId(id: string): string {
  if (idForm.test(id)) return id
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(id)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  let short = ''
  for (; short.length < idLength; hash /= 62n) short += alphabet.charAt(Number(hash % 62n))
  return short
}

/** The chat body as Mistral takes it. */
export const shapeMistral = composeShape(onMistralsNames, withTier, withEffort, withMessages)
