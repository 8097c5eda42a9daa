import type { JsonObject } from '../../../core/json'
import type { Answering } from '../../../core/neutral/codec'
import { dialectId } from '../name'
import { writeText } from './call'
import { toolsAsDeclared, writeChoice, writeTools } from './tools'

const unsaid = () => undefined

/**
 * A response that has just begun. It repeats what was asked for; but not the instructions, of which a part may be the
 * operator's. https://platform.openai.com/docs/api-reference/responses/object
 */
export function inProgressResponse({ call, model, now, turn }: Answering, id: string): JsonObject {
  const { sampling, thinking } = call
  const tools = toolsAsDeclared(call.tools, unsaid)
  const own = call.own?.dialect === dialectId ? call.own.members : {}
  return {
    id,
    object: 'response',
    created_at: now,
    status: 'in_progress',
    background: false,
    completed_at: null,
    error: null,
    frequency_penalty: sampling.frequencyPenalty ?? 0,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: sampling.maxTokens,
    max_tool_calls: own['max_tool_calls'] ?? null,
    model,
    output: [],
    parallel_tool_calls: call.parallelTools ?? true,
    presence_penalty: sampling.presencePenalty ?? 0,
    ...(turn && turn.conversationId !== null && { conversation: { id: turn.conversationId } }),
    previous_response_id: turn?.previousResponseId ?? null,
    prompt_cache_key: own['prompt_cache_key'] ?? null,
    reasoning: { effort: thinking?.effort ?? null, summary: thinking?.summary ?? null },
    safety_identifier: null,
    service_tier: call.serviceTier ?? 'default',
    store: turn?.isStored ?? false,
    temperature: sampling.temperature ?? 1,
    text: { format: { type: 'text' }, verbosity: 'medium', ...writeText(call) },
    tool_choice: (call.toolChoice && writeChoice(call.toolChoice, writeTools(call.tools, unsaid), unsaid)) ?? 'auto',
    tools,
    top_logprobs: sampling.topLogProbabilities ?? 0,
    top_p: sampling.topP ?? 1,
    truncation: own['truncation'] ?? 'disabled',
    usage: null,
    user: call.user,
    metadata: call.metadata ?? {},
  }
}
