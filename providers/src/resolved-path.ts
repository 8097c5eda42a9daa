import { isObject, type JsonObject } from '@tollgate/dialects'

import { memberPaths, type MemberPath } from './member-path'

/** Members without which a request is another one. */
const needed: ReadonlySet<string> = new Set(
  [
    ['model', 'stream', 'messages', 'input', 'contents', 'prompt', 'system', 'instructions', 'systemInstruction'],
    ['system_instruction', 'tools', 'functions', 'toolConfig', 'tool_config', 'previous_response_id', 'conversation'],
    ['response_format', 'output_format', 'text', 'modalities', 'audio', 'generationConfig', 'generation_config'],
    ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'anthropic_version', 'anthropic_beta', 'suffix'],
    ['cachedContent', 'cached_content', 'container'],
  ].flat(),
)

/** The same below the outermost members. */
const neededBelow: ReadonlySet<string> = new Set(
  [
    [
      'type',
      'name',
      'description',
      'function',
      'custom',
      'parameters',
      'parametersJsonSchema',
      'parameters_json_schema',
      'input_schema',
    ],
    [
      'functionDeclarations',
      'function_declarations',
      'format',
      'schema',
      'json_schema',
      'properties',
      'required',
      'items',
    ],
    ['responseSchema', 'response_schema', 'responseJsonSchema', 'response_json_schema', 'responseMimeType', 'enum'],
    ['response_mime_type', 'responseModalities', 'response_modalities', 'maxOutputTokens', 'max_output_tokens', '$ref'],
  ].flat(),
)

/** Members that hold the conversation, and all that may be left out below them. */
const conversations: ReadonlySet<string> = new Set([
  'messages',
  'input',
  'contents',
  'system',
  'systemInstruction',
  'system_instruction',
  'instructions',
  'prompt',
])
const asides: ReadonlySet<string> = new Set(
  [
    ['cache_control', 'scope', 'ttl', 'caller', 'citations', 'annotations', 'refusal', 'detail', 'status', 'phase'],
    ['reasoning', 'reasoning_content', 'reasoning_details', 'reasoning_text', 'signature', 'thoughtSignature'],
    ['thought_signature', 'extra_content', 'namespace', 'strict', 'prefix', 'partial', 'logprobs', 'is_error', 'index'],
    ['displayName', 'display_name', 'videoMetadata', 'mediaResolution', 'media_resolution', 'provider_options'],
    ['internal_chat_message_metadata_passthrough', 'metadata', 'created_by', 'tool_name'],
  ].flat(),
)

/** Where a name without its place may stand. */
const holders = [
  'output_config',
  'reasoning',
  'generationConfig',
  'generation_config',
  'stream_options',
  'thinking',
  'text',
  'messages[]',
  'messages[].content[]',
  'tools[]',
  'tools[].function',
  'input[]',
  'system[]',
]

const normalizeName = (name: string): string => name.replaceAll('_', '').toLowerCase()

/**
 * Returns the place in a request that an upstream means by a path of its own; null where there is none, or the request would be another
 * one without it. Upstreams put names of their types between, and number the elements of lists: what one of them may not have, none may.
 */
export function resolvedPath(body: JsonObject, text: string): MemberPath | null {
  const parts = text
    .replace(/^(?:\$\.|#\/?|\/|body\.)/, '')
    .split(/[./[\]]+/)
    .filter((part) => part !== '')
  const steps = stepsTo(body, parts) ?? (parts.length === 1 ? stepsBelow(body, parts[0] ?? '') : null)
  if (steps === null || !isSpare(steps)) return null
  const [path] = memberPaths(steps.join('.').replaceAll('.[]', '[]'))
  if (steps[0] === 'tool_choice' && steps.length === 1 && !isOpen(body['tool_choice'])) return null
  return (
    (steps[0] === 'output_config' && holdsFormat(body['output_config']) && steps.length === 1 ? null : path) ?? null
  )
}

function stepsTo(body: JsonObject, parts: readonly string[]): readonly string[] | null {
  const steps: string[] = []
  let value: unknown = body
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1
    if (Array.isArray(value)) {
      const list: readonly unknown[] = value
      steps.push('[]')
      if (/^\d{1,6}$/.test(part)) {
        value = list[Number(part)]
        if (isLast) return null
        continue
      }
      value = list.find((element) => keyIn(element, part) !== null)
    }
    const key = keyIn(value, part)
    if (key === null) {
      if (isLast) return null
      continue
    }
    steps.push(key)
    value = isObject(value) ? value[key] : undefined
  }
  return steps.length === 0 ? null : steps
}

function stepsBelow(body: JsonObject, name: string): readonly string[] | null {
  for (const holder of holders) {
    const places = holder.replaceAll('[]', '').split('.')
    const steps = stepsTo(body, [...places, name])
    if (steps !== null && steps.length > places.length) return steps
  }
  return null
}

/** Returns the exact name of a member: some upstreams write names in the other case. */
function keyIn(value: unknown, name: string): string | null {
  if (!isObject(value)) return null
  if (Object.hasOwn(value, name)) return name
  const folded = normalizeName(name)
  return Object.keys(value).find((key) => normalizeName(key) === folded) ?? null
}

function isSpare(steps: readonly string[]): boolean {
  const [first = ''] = steps
  const last = steps.at(-1) ?? ''
  if (/[^\w$-]/.test(steps.join('').replaceAll('[]', ''))) return false
  if (steps.length === 1) return !needed.has(first)
  if (conversations.has(first)) return asides.has(last) || steps.join() === 'messages,[],name'
  return !neededBelow.has(last) && !steps.includes('properties')
}

const isOpen = (choice: unknown): boolean => choice === 'auto' || (isObject(choice) && choice['type'] === 'auto')
const holdsFormat = (config: unknown): boolean => isObject(config) && 'format' in config
