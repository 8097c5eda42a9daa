import { noteUnknown } from '../../../core/neutral/left-out'
import { isObject, type JsonObject } from '../../../core/json'
import {
  efforts,
  type NeutralCall,
  type OutputFormat,
  type Thinking,
  type Tool,
  type ToolChoice,
} from '../../../core/neutral/call'
import type { PathContext } from '../../../core/views'
import {
  flagOrNull,
  numberOrNull,
  objectOf,
  objectsOf,
  textOf,
  textOrNull,
  textRecordOf,
  textsOf,
} from '../../../core/neutral/read'
import { freeTextTool } from '../../../core/shared/free-text'
import { readChatRequest } from '../request'
import { cacheOf } from '../cache-mark'
import { readMessages } from './messages'
import { isEffort } from '../../../core/neutral/thinking'

/**
 * A chat request of OpenAI in the neutral form. https://platform.openai.com/docs/api-reference/chat/create
 * @throws DialectError
 */
export function readCall(body: JsonObject, pathContext: PathContext): NeutralCall {
  const view = readChatRequest(body, pathContext.model || undefined)
  const leftOut: string[] = []
  noteUnknownValues(body, leftOut)
  return {
    model: view.model,
    isStream: view.isStream,
    messages: readMessages(objectsOf(body['messages']), leftOut),
    tools: [
      ...objectsOf(body['tools']).map(readTool),
      ...objectsOf(body['functions']).map(readFunction),
      ...webSearch(body),
    ],
    toolChoice: readToolChoice(body['tool_choice'] ?? body['function_call']),
    parallelTools: flagOrNull(body['parallel_tool_calls']),
    output: readOutput(objectOf(body['response_format'])),
    thinking: readThinking(body),
    sampling: {
      maxTokens: view.maxOutputTokens,
      temperature: numberOrNull(body['temperature']),
      topP: numberOrNull(body['top_p']),
      topK: numberOrNull(body['top_k']),
      seed: numberOrNull(body['seed']),
      presencePenalty: numberOrNull(body['presence_penalty']),
      frequencyPenalty: numberOrNull(body['frequency_penalty']),
      stop: typeof body['stop'] === 'string' ? [body['stop']] : textsOf(body['stop']),
      choices: view.choices,
      hasLogProbabilities: body['logprobs'] === true,
      topLogProbabilities: numberOrNull(body['top_logprobs']),
    },
    user: textOrNull(body['safety_identifier']) ?? textOrNull(body['user']),
    metadata: textRecordOf(body['metadata']),
    serviceTier: textOrNull(body['service_tier']),
    modalities: textsOf(body['modalities']).filter((kind) => kind !== 'text'),
    voice: readVoice(objectOf(body['audio'])),
    ...(leftOut.length > 0 && { leftOut }),
    own: { dialect: 'openai-chat', members: ownMembers(body) },
  }
}

const formats = ['text', 'json_object', 'json_schema']
const choices = ['auto', 'none', 'required', 'any', 'function', 'custom', 'allowed_tools']
const switches = ['enabled', 'disabled', 'adaptive', 'auto']

function noteUnknownValues(body: JsonObject, leftOut: string[]): void {
  const choice = body['tool_choice'] ?? body['function_call']
  const { type } = objectOf(body['response_format'])
  noteUnknown(leftOut, 'format', type, formats)
  noteUnknown(leftOut, 'tool choice', typeof choice === 'string' ? choice : objectOf(choice)['type'], choices)
  noteUnknown(leftOut, 'effort', body['reasoning_effort'] ?? objectOf(body['reasoning'])['effort'], efforts)
  noteUnknown(leftOut, 'thinking', objectOf(body['thinking'])['type'], switches)
}

/** Members that the neutral form holds whole, or that say how the answer shall be sent. */
const knownMembers: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'functions',
  'web_search_options',
  'search_parameters',
  'tool_choice',
  'function_call',
  'parallel_tool_calls',
  'response_format',
  'reasoning',
  'reasoning_effort',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'stop',
  'n',
  'logprobs',
  'top_logprobs',
  'safety_identifier',
  'user',
  'metadata',
  'service_tier',
  'modalities',
  'audio',
])

function ownMembers(body: JsonObject): JsonObject {
  const names = Object.keys(body).filter((name) => !knownMembers.has(name))
  return Object.fromEntries(names.map((name) => [name, body[name]]))
}

/** Clients of both of OpenAI's dialects declare tools, and ask for a search, as in the other one: without an object around. */
function readTool(tool: JsonObject): Tool {
  const { function: described = tool } = tool
  if (tool['type'] === 'function') return { ...readFunction(objectOf(described)), ...cacheOf(tool) }
  if (tool['type'] === 'custom') return readCustom(tool)
  // What has a name and arguments is the client's to run.
  if (textOf(tool['name']) !== '' && isObject(tool['parameters'])) return readFunction(tool)
  const isSearch = textOf(tool['type']).startsWith('web_search')
  return { kind: 'built-in', tool: isSearch ? 'web-search' : 'other', own: { dialect: 'openai-chat', value: tool } }
}

/** A tool of free text. Its grammar is nested deeper than in the other dialect. */
function readCustom(tool: JsonObject): Tool {
  const custom = isObject(tool['custom']) ? tool['custom'] : nestGrammar(tool)
  const { grammar } = objectOf(custom['format'])
  const origin = { dialect: 'openai-chat', type: 'custom', name: textOf(custom['name']), declared: { ...tool, custom } }
  return { ...freeTextTool({ ...custom, format: grammar }), ...cacheOf(tool), origin }
}

function nestGrammar(tool: JsonObject): JsonObject {
  const { type: _, format, ...custom } = tool
  const { type, ...grammar } = objectOf(format)
  return { ...custom, ...(format !== undefined && { format: type === 'grammar' ? { type, grammar } : format }) }
}

const readFunction = ({ name, description, parameters, strict }: JsonObject): Tool => ({
  kind: 'function',
  name: textOf(name),
  description: textOf(description),
  schema: objectOf(parameters),
  isStrict: flagOrNull(strict),
})

function webSearch(body: JsonObject): readonly Tool[] {
  const options = body['web_search_options'] ?? liveSearch(body['search_parameters'])
  if (options === undefined || options === null) return []
  return [{ kind: 'built-in', tool: 'web-search', own: { dialect: 'openai-chat', value: objectOf(options) } }]
}

/** What xAI’s clients ask of its former search. https://docs.x.ai/docs/guides/live-search */
function liveSearch(parameters: unknown): JsonObject | null {
  if (!isObject(parameters) || parameters['mode'] === 'off') return null
  const domains = objectsOf(parameters['sources']).flatMap((source) => textsOf(source['allowed_websites']))
  // Writers look for them where either of the others has them.
  return domains.length > 0 ? { allowed_domains: domains, filters: { allowed_domains: domains } } : {}
}

function readToolChoice(choice: unknown): ToolChoice | null {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  // Mistral's word: https://docs.mistral.ai/capabilities/function_calling
  if (choice === 'any') return { kind: 'required' }
  const chosen = objectOf(choice)
  if (chosen['type'] === 'allowed_tools') return readAllowed(objectOf(chosen['allowed_tools']))
  const named = objectOf(chosen['function'] ?? chosen['custom'] ?? choice)
  const name = textOf(named['name'])
  return name === '' ? null : { kind: 'tool', name }
}

function readAllowed(allowed: JsonObject): ToolChoice {
  const among = objectsOf(allowed['tools']).map((tool) => textOf(objectOf(tool['function'] ?? tool['custom'])['name']))
  return allowed['mode'] === 'required' ? { kind: 'required', among } : { kind: 'auto' }
}

function readOutput(format: JsonObject): OutputFormat | null {
  if (format['type'] === 'json_object') return { kind: 'json' }
  if (format['type'] !== 'json_schema') return null
  const described = objectOf(format['json_schema'])
  return {
    kind: 'schema',
    name: textOf(described['name']),
    description: textOf(described['description']),
    schema: objectOf(described['schema']),
    isStrict: flagOrNull(described['strict']),
  }
}

function readVoice(audio: JsonObject): NeutralCall['voice'] {
  const voice = textOf(audio['voice']) || textOf(objectOf(audio['voice'])['id'])
  return voice === '' ? null : { voice, format: textOf(audio['format']) || 'wav' }
}

/** OpenAI's effort, OpenRouter's object with an effort or a number of tokens, or a switch as vendors of China have it. */
export function readThinking(body: JsonObject): Thinking | null {
  const requested = objectOf(body['reasoning'])
  const effort = body['reasoning_effort'] ?? requested['effort']
  const budgetTokens = numberOrNull(requested['max_tokens']) ?? readBudget(body)
  const isEnabled = flagOrNull(requested['enabled']) ?? readSwitch(body)
  if (!isEffort(effort) && budgetTokens === null && isEnabled === null) return null
  return {
    isEnabled: isEnabled ?? effort !== 'none',
    effort: isEffort(effort) ? effort : null,
    budgetTokens,
    isShown: requested['exclude'] === true ? false : null,
    summary: null,
  }
}

const readBudget = (body: JsonObject): number | null =>
  numberOrNull(body['thinking_budget']) ?? numberOrNull(objectOf(body['thinking'])['budget_tokens'])

/** `auto` leaves the choice to the model, as silence does. */
function readSwitch(body: JsonObject): boolean | null {
  const { type } = objectOf(body['thinking'])
  if (type === 'enabled' || type === 'disabled') return type === 'enabled'
  return flagOrNull(body['enable_thinking'])
}
