import { type Counted, type SimulatedResponse, type StreamResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import type { Behaviour } from '../behaviour'
import { unknownFields } from '../content'
import { isObject, listOr, objectOr, textOr, type JsonObject } from '../json'
import { promptTokensOf, reportedUsage } from '../usage-report'
import { generationFor, type Generation } from '../generation'
import { cipherOf, itemsOf, type Item } from './items'
import { readRequest, check, requestsEncryptedReasoning, requestsSummary } from './request'

/** The moment every response claims to be created at. */
const createdAt = 1_750_000_000
const names = { prompt: 'input_tokens', completion: 'output_tokens', total: 'total_tokens' }

/** Answer a response, whole or as a stream. */
export function responses(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  check(body)
  const requested = readRequest(body)
  const isStream = body['stream'] === true
  const plain = generationFor(requested, behaviour)
  const huge = isStream && behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : []
  const speech = { ...plain, pieces: [...plain.pieces, ...huge] }
  const outcome = outcomeOf(speech)
  const items = itemsOf({
    generation: speech,
    number,
    hasSummary: !speech.isRedacted && (requestsSummary(body) || behaviour.thinking !== undefined),
    hasCipher: speech.isRedacted || requestsEncryptedReasoning(body),
    status: outcome.status === 'incomplete' ? 'incomplete' : 'completed',
  })
  const counted = countUsage(behaviour.promptTokens ?? promptTokensOf(requested.prompt), speech, behaviour)
  const head = headOf(body, number, behaviour)
  const final = {
    ...head,
    ...outcome,
    completed_at: outcome.status === 'completed' ? createdAt : null,
    output: items.map((item) => item.whole),
    usage: counted.reported ?? null,
  }
  if (!isStream) return whole(final, counted, head.id)
  return streamOf(head, items, final, counted, behaviour)
}

/** The messages of the user, and an item that stands for the rest. */
export function compaction(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  check(body)
  const requested = readRequest(body)
  const speech = generationFor(requested, { toolCalls: 0, ...behaviour })
  const counted = countUsage(behaviour.promptTokens ?? promptTokensOf(requested.prompt), speech, behaviour)
  const messages = listOr(body['input'])
    .filter(isObject)
    .filter(({ role }) => role === 'user')
    .map(({ content }, index) => {
      const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
      return { id: `msg_sim${number}_${index}`, type: 'message', role: 'user', status: 'completed', content: parts }
    })
  const item = { id: `cmp_sim${number}`, type: 'compaction', encrypted_content: cipherOf(`compaction ${number}`) }
  const id = `resp_sim${number}`
  const compacted = {
    id,
    object: 'response.compaction',
    created_at: createdAt,
    output: [...messages, item],
    usage: counted.reported,
  }
  return whole(compacted, counted, id)
}

function outcomeOf(speech: Generation) {
  const incomplete = (reason: string) => ({ status: 'incomplete', error: null, incomplete_details: { reason } })
  if (speech.ending === 'length' || speech.ending === 'context-window') return incomplete('max_output_tokens')
  if (speech.ending === 'content-filter' || speech.ending === 'blocked') return incomplete('content_filter')
  const isFailed = speech.ending === 'failed'
  const error = isFailed ? { code: 'server_error', message: 'The simulated model failed' } : null
  return { status: isFailed ? 'failed' : 'completed', error, incomplete_details: null }
}

/** A failed response costs nothing. */
function countUsage(promptTokens: number, speech: Generation, behaviour: Behaviour): Counted {
  if (speech.ending === 'failed') return { promptTokens: 0, completionTokens: 0, reported: undefined }
  const { completionTokens, thoughtTokens } = speech
  const usage = {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: behaviour.cachedTokens ?? 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: thoughtTokens },
    total_tokens: promptTokens + completionTokens,
  }
  const reported = behaviour.usage === 'none' ? undefined : reportedUsage(behaviour, names, usage)
  return { promptTokens, completionTokens, reported }
}

/** The vendor fills in what a function leaves out. */
const fillToolDefaults = (tool: JsonObject): JsonObject =>
  tool['type'] === 'function' ? { description: null, parameters: null, strict: true, ...tool } : tool

/** What a response repeats of its request. */
function headOf(body: JsonObject, number: number, behaviour: Behaviour) {
  const { reasoning, text } = body
  return {
    id: `resp_sim${number}`,
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    background: false,
    completed_at: null,
    error: null,
    frequency_penalty: 0,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: body['max_tool_calls'] ?? null,
    model: textOr(body['model'], ''),
    output: [],
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    presence_penalty: 0,
    previous_response_id: body['previous_response_id'] ?? null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: isObject(reasoning) ? { effort: null, summary: null, ...reasoning } : { effort: null, summary: null },
    safety_identifier: body['safety_identifier'] ?? null,
    service_tier: 'default',
    store: body['store'] ?? true,
    temperature: body['temperature'] ?? 1,
    text: isObject(text) ? text : { format: { type: 'text' } },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: listOr(body['tools']).map((tool) => fillToolDefaults(objectOr(tool))),
    top_logprobs: body['top_logprobs'] ?? 0,
    top_p: body['top_p'] ?? 1,
    truncation: body['truncation'] ?? 'disabled',
    usage: null,
    user: null,
    metadata: body['metadata'] ?? {},
    ...(behaviour.unknownFields ? unknownFields : {}),
  }
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
function streamOf(
  head: ReturnType<typeof headOf>,
  items: readonly Item[],
  final: JsonObject & { status: string },
  counted: Counted,
  behaviour: Behaviour,
): StreamResponse {
  let sequence = 0
  const event = (type: string, members: JsonObject): StreamEvent => {
    const numbered = { type, sequence_number: sequence, ...members, ...(behaviour.unknownFields ? unknownFields : {}) }
    sequence += 1
    return { name: type, data: JSON.stringify(numbered) }
  }
  const events = [
    event('response.created', { response: head }),
    event('response.in_progress', { response: head }),
    ...items.flatMap((item, index) => {
      const at = { output_index: index }
      return [
        event('response.output_item.added', { ...at, item: item.added }),
        ...item.events.map(({ type, members }) => event(type, { item_id: item.whole['id'], ...at, ...members })),
        event('response.output_item.done', { ...at, item: item.whole }),
      ]
    }),
  ]
  return {
    kind: 'stream',
    events,
    last: event(`response.${final.status}`, { response: final }),
    counted,
    responseId: head.id,
  }
}
