import type { JsonObject } from '../../../core/json'
import type { NeutralCall, OutputFormat, FunctionTool } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { plainObjectSchema } from '../../../core/neutral/object-schema'
import { clamp, omitUndefined } from '../../../core/neutral/read'
import { budgetOf, effortOf } from '../../../core/neutral/thinking'
import { writeMessages } from './messages'
import { toolLabel } from '../../../core/neutral/left-out'

/** A chat request. https://docs.cohere.com/reference/chat */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  warnOfRest(call, warn)
  const own = writeOwn(call)
  const isBound = call.tools.length > 0 || own['documents'] !== undefined
  return omitUndefined({
    model: call.model,
    messages: writeMessages(call.messages, takesThinking(call.model), warn),
    ...writeTools(call, warn),
    ...own,
    safety_mode: isBound ? undefined : own['safety_mode'],
    response_format: writeOutput(call.output, isBound, warn),
    thinking: writeThinking(call, warn),
    ...writeSampling(call, warn),
    stream: call.isStream || undefined,
  })
}

/** Members of this vendor's that clients of other dialects may send. */
const ownNames = new Set(['documents', 'citation_options', 'safety_mode', 'priority'])
const writeOwn = ({ own }: NeutralCall): JsonObject =>
  Object.fromEntries(Object.entries(own?.members ?? {}).filter(([name, value]) => ownNames.has(name) && value !== null))

function warnOfRest({ sampling, user, metadata, serviceTier, modalities }: NeutralCall, warn: Warn): void {
  if (sampling.choices > 1) warn('more than one choice')
  if (sampling.hasLogProbabilities) warn('log probabilities')
  if (user !== null) warn('user')
  if (metadata !== null && Object.keys(metadata).length > 0) warn('metadata')
  if (serviceTier !== null && serviceTier !== 'auto' && serviceTier !== 'default') warn('service_tier')
  if (modalities.length > 0) warn('answers in anything but text')
}

/** A form of the answer goes neither with tools nor with documents. */
function writeOutput(output: OutputFormat | null, isBound: boolean, warn: Warn): JsonObject | undefined {
  if (output === null) return undefined
  if (isBound) {
    warn('the format of the answer beside tools')
    return undefined
  }
  return omitUndefined({ type: 'json_object', json_schema: output.kind === 'schema' ? output.schema : undefined })
}

/** The part of a limit that thinking may take where only an effort was asked for: the answer needs the rest. */
const budgetShare = 0.8

function writeThinking({ thinking, model, sampling }: NeutralCall, warn: Warn): JsonObject | undefined {
  if (thinking === null) return undefined
  const isOff = effortOf(thinking) === 'none'
  if (!takesThinking(model)) {
    if (!isOff) warn('thinking, which the model does not do')
    return undefined
  }
  if (isOff) return { type: 'disabled' }
  const requested = budgetOf(thinking)
  if (requested === null || requested <= 0) return { type: 'enabled' }
  const maxBudget =
    sampling.maxTokens === null || thinking.budgetTokens !== null ? requested : sampling.maxTokens * budgetShare
  return { type: 'enabled', token_budget: Math.max(Math.floor(Math.min(requested, maxBudget)), 1) }
}

const maxStops = 5

/** What lies outside the vendor's bounds is brought to them: it would be refused. */
function writeSampling({ sampling }: NeutralCall, warn: Warn): JsonObject {
  const { stop, presencePenalty, frequencyPenalty, topP, topK } = sampling
  if (stop.length > maxStops) warn(`more than ${maxStops} stop sequences`)
  if ((presencePenalty ?? 0) < 0 || (frequencyPenalty ?? 0) < 0) warn('a negative penalty')
  return {
    max_tokens: sampling.maxTokens ?? undefined,
    stop_sequences: stop.length > 0 ? stop.slice(0, maxStops) : undefined,
    temperature: sampling.temperature ?? undefined,
    seed: sampling.seed ?? undefined,
    presence_penalty: clamp(presencePenalty, 0, 1),
    frequency_penalty: clamp(frequencyPenalty, 0, 1),
    k: clamp(topK, 0, 500),
    p: clamp(topP, 0.01, 0.99),
  }
}

/** Models from before the vendor's models could think; newer ones are taken to. https://docs.cohere.com/docs/models */
const old = /^(?:c4ai-)?(?:aya|command-r|command-a-(?:03|vision|translate)|command(?:-(?:light|nightly))*$)/

/** It takes `thinking`, and its own thoughts back; others refuse such requests. */
const takesThinking = (model: string): boolean => !old.test(model)

/** The tools and how they may be used. A choice among them is said by showing no others. */
function writeTools({ tools, toolChoice, parallelTools }: NeutralCall, warn: Warn): JsonObject {
  for (const tool of tools) if (tool.kind === 'built-in') warn(toolLabel(tool))
  const known = tools.filter((tool) => tool.kind === 'function')
  const among = toolChoice?.kind === 'tool' ? [toolChoice.name] : toolChoice?.kind === 'required' && toolChoice.among
  const chosen = new Set(among || [])
  const shown = chosen.size > 0 ? known.filter(({ name }) => chosen.has(name)) : known
  if (shown.length === 0) return {}
  if (parallelTools === false) warn('one tool at a time')
  return omitUndefined({
    tools: shown.map(writeFunction),
    strict_tools: writeStrict(shown, warn),
    tool_choice: choices[toolChoice?.kind ?? 'auto'],
  })
}

const choices = { auto: undefined, none: 'NONE', required: 'REQUIRED', tool: 'REQUIRED' } as const

const writeFunction = ({ name, description, schema }: FunctionTool): JsonObject => ({
  type: 'function',
  function: omitUndefined({
    name,
    description: description || undefined,
    parameters: plainObjectSchema(schema),
  }),
})

/** All tools are strict or none. */
function writeStrict(tools: readonly FunctionTool[], warn: Warn): true | undefined {
  const strict = tools.filter(({ isStrict }) => isStrict === true).length
  if (strict > 0 && strict < tools.length) warn('some tools strict')
  return strict === tools.length || undefined
}
