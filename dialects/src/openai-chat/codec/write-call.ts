import type { JsonObject } from '../../json'
import type { NeutralCall, OutputFormat, Tool, ToolChoice } from '../../neutral/call'
import type { Warn } from '../../neutral/codec'
import { written } from '../../neutral/read'
import { effortOf } from '../../neutral/thinking'
import { writeMessages } from './write-messages'

/** A chat request in OpenAI's words. What a vendor wants otherwise is its own description's to change. */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const { sampling, thinking } = call
  const own = call.own?.dialect === 'openai-chat' ? call.own.members : {}
  if (call.own && call.own.dialect !== 'openai-chat') for (const name of Object.keys(call.own.members)) warn(name)
  if (sampling.topK !== null) warn('top_k')
  return written({
    ...own,
    model: call.model,
    messages: writeMessages(call.messages, warn),
    ...writeTools(call, warn),
    response_format: call.output ? writeOutput(call.output) : undefined,
    reasoning_effort: (thinking && effortOf(thinking)) ?? undefined,
    max_tokens: sampling.maxTokens ?? undefined,
    temperature: sampling.temperature ?? undefined,
    top_p: sampling.topP ?? undefined,
    seed: sampling.seed ?? undefined,
    presence_penalty: sampling.presencePenalty ?? undefined,
    frequency_penalty: sampling.frequencyPenalty ?? undefined,
    stop: sampling.stop.length > 0 ? sampling.stop : undefined,
    n: sampling.choices > 1 ? sampling.choices : undefined,
    logprobs: sampling.hasLogProbabilities || undefined,
    top_logprobs: sampling.topLogProbabilities ?? undefined,
    user: call.user ?? undefined,
    metadata: call.metadata ?? undefined,
    service_tier: writeTier(call.serviceTier),
    modalities: call.modalities.length > 0 ? ['text', ...call.modalities] : undefined,
    audio: call.voice ?? undefined,
    stream: call.isStream || undefined,
    stream_options: call.isStream ? { include_usage: true } : undefined,
  })
}

/** Anthropic's word for no preference is none of OpenAI's. */
const writeTier = (tier: string | null): string | undefined =>
  tier === null ? undefined : tier === 'standard_only' ? 'default' : tier

function writeTools(call: NeutralCall, warn: Warn): JsonObject {
  const tools = call.tools.flatMap((tool) => writeTool(tool, warn))
  const search = call.tools.find((tool) => tool.kind === 'built-in' && tool.tool === 'web-search')
  const hasTools = tools.length > 0
  return {
    tools: hasTools ? tools : undefined,
    tool_choice: hasTools && call.toolChoice ? writeChoice(call.toolChoice) : undefined,
    parallel_tool_calls: hasTools ? (call.parallelTools ?? undefined) : undefined,
    web_search_options: search?.kind === 'built-in' ? (ownValue(search) ?? {}) : undefined,
  }
}

const ownValue = ({ own }: Extract<Tool, { kind: 'built-in' }>): JsonObject | null =>
  own.dialect === 'openai-chat' ? own.value : null

function writeTool(tool: Tool, warn: Warn): JsonObject[] {
  if (tool.kind === 'function') {
    const { name, description, schema, isStrict } = tool
    const hasSchema = Object.keys(schema).length > 0
    const described = written({
      name,
      description: description || undefined,
      parameters: hasSchema ? schema : { type: 'object', properties: {} },
      strict: isStrict ?? undefined,
    })
    const cache = tool.cache && { cache_control: { type: 'ephemeral', ...(tool.cache === '1h' && { ttl: '1h' }) } }
    return [{ type: 'function', function: described, ...cache }]
  }
  if (tool.tool === 'web-search') return []
  const own = ownValue(tool)
  if (own === null) warn(`the built-in tool ${tool.tool}`)
  return own === null ? [] : [own]
}

function writeChoice(choice: ToolChoice): unknown {
  if (choice.kind === 'tool') return { type: 'function', function: { name: choice.name } }
  if (choice.kind !== 'required' || choice.among === undefined) return choice.kind
  const tools = choice.among.map((name) => ({ type: 'function', function: { name } }))
  return { type: 'allowed_tools', allowed_tools: { mode: 'required', tools } }
}

function writeOutput(output: OutputFormat): JsonObject {
  if (output.kind === 'json') return { type: 'json_object' }
  const { name, description, schema, isStrict } = output
  const described = written({
    name: name || 'answer',
    description: description || undefined,
    schema,
    strict: isStrict ?? undefined,
  })
  return { type: 'json_schema', json_schema: described }
}
