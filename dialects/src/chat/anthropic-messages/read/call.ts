import { noteMembers, noteUnknown } from '../../../core/neutral/left-out'
import type { JsonObject } from '../../../core/json'
import { efforts, type Message, type NeutralCall, type OutputFormat, type Thinking } from '../../../core/neutral/call'
import type { PathContext } from '../../../core/views'
import { DialectError } from '../../../core/dialect-error'
import { numberOrNull, objectOf, objectsOf, textOf, textOrNull, textsOf } from '../../../core/neutral/read'
import { isEffort } from '../../../core/neutral/thinking'
import { billingNote, withoutBillingNote } from '../billing-note'
import { dialectId } from '../name'
import { readMessagesRequest } from '../request'
import { lateEffort, shownMessages } from '../turn-settings'
import { readContent } from './blocks'
import { readParallelTools, readToolChoice, readTools } from './tools'

/**
 * A request for a message in the neutral form. https://platform.claude.com/docs/en/api/messages/create
 * @throws DialectError
 */
export function readCall(body: JsonObject, pathContext: PathContext): NeutralCall {
  const view = readMessagesRequest(body, pathContext.model || undefined)
  refuseCompaction(body['compaction'])
  const choice = objectOf(body['tool_choice'])
  const leftOut: string[] = []
  noteUnknownValues(body, leftOut)
  return {
    model: view.model,
    isStream: view.isStream,
    messages: readMessages(body, leftOut),
    tools: objectsOf(body['tools']).flatMap(readTools),
    toolChoice: readToolChoice(choice),
    parallelTools: readParallelTools(choice),
    output: readOutput(body),
    thinking: readThinking(
      objectOf(body['thinking']),
      lateEffort(objectsOf(body['messages'])) ?? objectOf(body['output_config'])['effort'],
    ),
    sampling: {
      maxTokens: view.maxOutputTokens,
      temperature: numberOrNull(body['temperature']),
      topP: numberOrNull(body['top_p']),
      topK: numberOrNull(body['top_k']),
      seed: null,
      presencePenalty: null,
      frequencyPenalty: null,
      stop: textsOf(body['stop_sequences']),
      choices: 1,
      hasLogProbabilities: false,
      topLogProbabilities: null,
    },
    user: textOrNull(objectOf(body['metadata'])['user_id']),
    metadata: null,
    serviceTier: readServiceTier(body['service_tier']),
    modalities: [],
    voice: null,
    ...(leftOut.length > 0 && { leftOut }),
    own: ownOf(body),
  }
}

const kindsOfThinking = ['enabled', 'disabled', 'adaptive', 'between_tools']
const toolMembers: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'strict',
  'cache_control',
  // How the calls of a tool are streamed.
  'eager_input_streaming',
])

function noteUnknownValues(body: JsonObject, leftOut: string[]): void {
  const { thinking, tool_choice: choice, output_config: config, output_format: format } = body
  noteUnknown(leftOut, 'thinking', objectOf(thinking)['type'], kindsOfThinking)
  noteUnknown(leftOut, 'tool choice', objectOf(choice)['type'], ['auto', 'none', 'any', 'tool'])
  noteUnknown(leftOut, 'effort', objectOf(config)['effort'], efforts)
  noteUnknown(leftOut, 'format', objectOf(objectOf(config)['format'] ?? format)['type'], ['json_schema'])
  const own = objectsOf(body['tools']).filter(({ type = 'custom' }) => type === 'custom')
  noteMembers(leftOut, own, toolMembers)
}

/** It takes the place of an answer; another vendor would answer instead. */
function refuseCompaction(compaction: unknown): void {
  if (compaction === undefined || compaction === null) return
  throw new DialectError(
    'compaction',
    'invalid_value',
    "Invalid 'compaction': this model cannot compact a conversation.",
  )
}

/** Members that the neutral form holds whole. */
const knownMembers: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
  'output_format',
])

const knownSubmembers: ReadonlySet<string> = new Set(['thinking', 'output_config', 'effort', 'format'])

/** Keeps what the neutral form does not hold; of two members it holds a part. */
function ownOf(body: JsonObject): NonNullable<NeutralCall['own']> {
  const members = Object.fromEntries(Object.entries(body).filter(([name]) => !knownMembers.has(name)))
  const names = [...Object.keys(members), ...Object.keys(objectOf(members['output_config']))]
  return { dialect: dialectId, members, names: names.filter((name) => !knownSubmembers.has(name)) }
}

function readMessages(body: JsonObject, leftOut: string[]): Message[] {
  const reading = { names: new Map<string, string>(), leftOut }
  const noted = withoutBillingNote(body)
  if (noted !== body) leftOut.push(billingNote)
  const system = readContent(noted['system'], reading, 'system')
  const messages = shownMessages(objectsOf(body['messages'])).map(({ role, content }, index): Message => {
    const parts = readContent(content, reading, String(index))
    return { role: role === 'assistant' || role === 'system' ? role : 'user', parts }
  })
  return system.length === 0 ? messages : [{ role: 'system', parts: system }, ...messages]
}

/** Where the format stands today, and where it stood. https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
function readOutput(body: JsonObject): OutputFormat | null {
  const format = objectOf(objectOf(body['output_config'])['format'] ?? body['output_format'])
  if (format['type'] !== 'json_schema') return null
  return { kind: 'schema', name: 'answer', description: '', schema: objectOf(format['schema']), isStrict: true }
}

/** https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking and …/effort; an effort counts without thinking too. */
function readThinking(thinking: JsonObject, requested: unknown): Thinking | null {
  const type = textOf(thinking['type'])
  const effort = isEffort(requested) ? requested : null
  if (type === '' && effort === null) return null
  const budgetTokens = type === 'enabled' ? numberOrNull(thinking['budget_tokens']) : null
  const display = thinking['display']
  return {
    isEnabled: type !== 'disabled' && type !== 'between_tools',
    effort,
    budgetTokens: budgetTokens ?? (type === 'adaptive' && effort === null ? -1 : null),
    isShown: display === 'summarized' ? true : display === 'omitted' ? false : null,
    summary: null,
  }
}

/** In the words that most dialects share. */
function readServiceTier(serviceTier: unknown): string | null {
  return serviceTier === 'standard_only' ? 'default' : textOrNull(serviceTier)
}
