import { type SimulatedResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import { plainRequest } from '../generation-request'
import type { Behaviour } from '../behaviour'
import { vectorOf } from '../content'
import type { Call, Dialect } from '../dialect'
import { listOr, objectOr, type JsonObject } from '../json'
import { inputTokensOf, plainCounted, promptTokensOf } from '../usage-report'
import { generationFor, type GenerationEnding } from '../generation'

/** Tencent Cloud's own API. Errors come with status 200. That calls are signed is checked, the signature is not. */
export const hunyuan: Dialect = {
  wire: {
    errorBody: (_status, { message, code }) => ({
      Response: { Error: { Code: code || 'InternalError', Message: message }, RequestId: 'req-sim' },
    }),
    errorEvent: (_status, { message, code }) => ({
      data: JSON.stringify({ ErrorMsg: { Code: code || 'InternalError', Msg: message }, Choices: [] }),
    }),
  },
  serves: ({ method, headers }) => method === 'POST' && headers['x-tc-version'] === '2023-09-01',
  respond(call, behaviour) {
    const problem = problemOf(call)
    if (problem !== null)
      return whole({
        Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: problem }, RequestId: 'req-sim' },
      })
    const body = objectOr(call.json)
    if (call.headers['x-tc-action'] === 'GetEmbedding') return embed(body, behaviour)
    return call.headers['x-tc-action'] === 'ChatCompletions' ? chat(body, behaviour, call.number) : null
  },
}

function problemOf({ headers }: Call): string | null {
  const signature =
    /^TC3-HMAC-SHA256 Credential=[^/]+\/\d{4}-\d\d-\d\d\/hunyuan\/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=[0-9a-f]{64}$/
  if (!signature.test(headers['authorization'] ?? '')) return 'The provided credentials could not be validated.'
  return headers['x-tc-timestamp'] === undefined ? 'The request has no timestamp.' : null
}

const finishReasons = {
  stop: 'stop',
  'stop-sequence': 'stop',
  tools: 'tool_calls',
  length: 'length',
  refusal: 'stop',
  'content-filter': 'sensitive',
  blocked: 'sensitive',
  pause: 'stop',
  'context-window': 'length',
  failed: 'stop',
} satisfies Record<GenerationEnding, string>

function chat(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const messages = listOr(body['Messages']).map(objectOr)
  const prompt = messages.map(
    ({ Content, Contents }) => Content ?? listOr(Contents).map((part) => objectOr(part)['Text']),
  )
  const speech = generationFor(
    {
      ...plainRequest,
      prompt,
      tools: listOr(body['Tools']).map((tool) => {
        const { Name, Parameters } = objectOr(objectOr(tool)['Function'])
        const schema: unknown = typeof Parameters === 'string' ? JSON.parse(Parameters) : undefined
        return { name: typeof Name === 'string' ? Name : 'unnamed', schema }
      }),
      hasToolResults: messages.some(({ Role }) => Role === 'tool'),
      stop: listOr(body['Stop']).filter((one) => typeof one === 'string'),
    },
    behaviour,
  )
  const counted = plainCounted(behaviour.promptTokens ?? promptTokensOf(prompt), speech.completionTokens, behaviour)
  const responseId = `hunyuan-sim${number}`
  const about = { Id: responseId, Created: 1_700_000_000, Note: 'Made by AI', RequestId: 'req-sim' }
  const usage = counted.reported === undefined ? {} : { Usage: pascalCounts(objectOr(counted.reported)) }
  const calls = speech.toolCalls.map((call, Index) => ({
    Id: `call_sim${Index}`,
    Type: 'function',
    Index,
    Function: { Name: call.name, Arguments: JSON.stringify(call.arguments) },
  }))
  const called = calls.length > 0 ? { ToolCalls: calls } : {}
  const FinishReason = finishReasons[speech.ending]
  if (body['Stream'] !== true) {
    const Message = { Role: 'assistant', Content: speech.pieces.join(''), ...called }
    return whole(
      { Response: { ...about, ...usage, Choices: [{ Index: 0, Message, FinishReason }] } },
      counted,
      responseId,
    )
  }
  const chunk = (Delta: JsonObject, reason: string): StreamEvent => ({
    data: JSON.stringify({ ...about, ...usage, Choices: [{ Index: 0, Delta, FinishReason: reason }] }),
  })
  const pieces = [...speech.pieces, ...(behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : [])]
  const events = pieces.map((Content) => chunk({ Role: 'assistant', Content }, ''))
  return {
    kind: 'stream',
    events,
    last: chunk({ Role: 'assistant', Content: '', ...called }, FinishReason),
    counted,
    responseId,
  }
}

const pascalCounts = ({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): JsonObject => ({
  PromptTokens: prompt_tokens,
  CompletionTokens: completion_tokens,
  TotalTokens: total_tokens,
})

function embed(body: JsonObject, behaviour: Behaviour): SimulatedResponse {
  const inputs = listOr(body['InputList'])
  const counted = plainCounted(behaviour.promptTokens ?? inputTokensOf(inputs), 0, behaviour)
  const { PromptTokens, TotalTokens } = pascalCounts(objectOr(counted.reported))
  const Data = inputs.map((one, Index) => ({ Object: 'embedding', Embedding: vectorOf(JSON.stringify(one), 8), Index }))
  const Usage = counted.reported === undefined ? {} : { Usage: { PromptTokens, TotalTokens } }
  return whole({ Response: { Data, ...Usage, RequestId: 'req-sim' } }, counted)
}
