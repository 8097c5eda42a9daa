import { noteMembers, noteUnknown } from '../../../core/neutral/left-out'
import type { PathContext } from '../../../core/views'
import type { JsonObject } from '../../../core/json'
import { efforts, type NeutralCall, type OutputFormat, type Thinking } from '../../../core/neutral/call'
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
import { isEffort } from '../../../core/neutral/thinking'
import { dialectId } from '../name'
import { readResponsesRequest } from '../request'
import { bringsTools, isUpdate, readInput, unkept } from './input'
import { DeclaredTools, readToolChoice } from './tools'

/**
 * A request for a response in the neutral form. https://platform.openai.com/docs/api-reference/responses/create
 * @throws DialectError, also for what builds on something that only the vendor keeps.
 */
export function readCall(body: JsonObject, pathContext: PathContext): NeutralCall {
  requireWhole(body)
  const view = readResponsesRequest(body, pathContext.model || undefined)
  const declared = new DeclaredTools()
  declared.add(objectsOf(body['tools']))
  for (const item of objectsOf(body['input'])) if (bringsTools(item)) declared.add(objectsOf(item['tools']))
  const { messages, leftOut: leftOutOfInput } = readInput(body, declared)
  const leftOut = [...leftOutOfInput]
  noteUnknownValues(body, leftOut)
  return {
    model: view.model,
    isStream: view.isStream,
    messages,
    tools: declared.tools,
    toolChoice: readToolChoice(body['tool_choice'], declared),
    parallelTools: flagOrNull(body['parallel_tool_calls']),
    output: readFormat(objectOf(readUpdate(body, 'text', 'format') ?? objectOf(body['text'])['format'])),
    thinking: readThinking(objectOf(body['reasoning']), readUpdate(body, 'reasoning', 'effort')),
    sampling: {
      maxTokens: view.maxOutputTokens,
      temperature: numberOrNull(body['temperature']),
      topP: numberOrNull(body['top_p']),
      topK: null,
      seed: null,
      presencePenalty: numberOrNull(body['presence_penalty']),
      frequencyPenalty: numberOrNull(body['frequency_penalty']),
      stop: [],
      choices: 1,
      hasLogProbabilities: textsOf(body['include']).includes('message.output_text.logprobs'),
      topLogProbabilities: numberOrNull(body['top_logprobs']),
    },
    user: textOrNull(body['safety_identifier']) ?? textOrNull(body['user']),
    metadata: textRecordOf(body['metadata']),
    serviceTier: textOrNull(body['service_tier']),
    modalities: [],
    voice: null,
    ...(leftOut.length > 0 && { leftOut }),
    own: ownOf(body),
  }
}

const formats = ['text', 'json_object', 'json_schema']
const choices = ['auto', 'none', 'required', 'function', 'custom', 'allowed_tools', 'mcp']
const functionMembers: ReadonlySet<string> = new Set(['type', 'name', 'description', 'parameters', 'strict'])

/** A choice may name any of the tools by its type. */
function noteUnknownValues(body: JsonObject, leftOut: string[]): void {
  const tools = objectsOf(body['tools'])
  const { tool_choice: choice, text, reasoning } = body
  const chosen = typeof choice === 'string' ? choice : objectOf(choice)['type']
  noteUnknown(leftOut, 'format', objectOf(objectOf(text)['format'])['type'], formats)
  noteUnknown(leftOut, 'tool choice', chosen, [...choices, ...tools.map(({ type }) => textOf(type))])
  noteUnknown(leftOut, 'effort', objectOf(reasoning)['effort'], efforts)
  noteMembers(
    leftOut,
    tools.filter(({ type }) => type === 'function'),
    functionMembers,
  )
}

/** What is kept at the vendor cannot be handed to another. */
function requireWhole(body: JsonObject): void {
  const storedMembers: readonly (readonly [name: string, what: string])[] = [
    ['previous_response_id', 'an earlier response'],
    ['conversation', 'a kept conversation'],
    ['prompt', 'a kept prompt'],
  ]
  for (const [name, what] of storedMembers) {
    const value = body[name]
    if (value !== undefined && value !== null) throw unkept(name, what)
  }
}

/** Members that the neutral form holds whole, or that say how the vendor shall keep or send the answer. */
const knownMembers: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'presence_penalty',
  'frequency_penalty',
  'include',
  'user',
  'safety_identifier',
  'metadata',
  'service_tier',
  'store',
  'background',
  'previous_response_id',
  'conversation',
  'prompt',
])

function ownOf(body: JsonObject): NonNullable<NeutralCall['own']> {
  const members = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !knownMembers.has(name) && value !== null && value !== undefined),
  )
  const { text, ...rest } = members
  const { format: _, ...textOptions } = objectOf(text)
  const shown = textsOf(body['include']).filter((name) => !included.has(name))
  return { dialect: dialectId, members, names: [...Object.keys(rest), ...Object.keys(textOptions), ...shown] }
}

/** What every response has, or has by another member. */
const included: ReadonlySet<string> = new Set(['reasoning.encrypted_content', 'message.output_text.logprobs'])

function readFormat(format: JsonObject): OutputFormat | null {
  if (format['type'] === 'json_object') return { kind: 'json' }
  if (format['type'] !== 'json_schema') return null
  return {
    kind: 'schema',
    name: textOf(format['name']),
    description: textOf(format['description']),
    schema: objectOf(format['schema']),
    isStrict: flagOrNull(format['strict']),
  }
}

/** What the last item that changes a setting sets it to. https://developers.openai.com/api/docs/guides/latest-model */
const readUpdate = ({ input }: JsonObject, setting: 'text' | 'reasoning', member: string): unknown =>
  objectsOf(input)
    .filter(isUpdate)
    .map((item) => objectOf(item[setting])[member])
    .findLast((value) => value !== undefined && value !== null)

/** A summary is what makes thoughts visible here; it may be requested without an effort. */
function readThinking(reasoning: JsonObject, later: unknown): Thinking | null {
  const requested = later ?? reasoning['effort']
  const effort = isEffort(requested) ? requested : null
  const summary = textOrNull(reasoning['summary']) ?? textOrNull(reasoning['generate_summary'])
  if (effort === null && summary === null) return null
  return {
    isEnabled: effort !== 'none',
    effort,
    budgetTokens: null,
    isShown: summary === null ? null : true,
    summary,
  }
}
