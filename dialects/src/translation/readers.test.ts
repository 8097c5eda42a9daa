import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { dialects } from '../dialects'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { mutationsOf } from '../core/neutral/test/mutate'
import { isOrderly } from '../core/neutral/test/streams'
import { upstreamCodecs } from './test/codecs'

const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
const error = { code: 'c', type: 't', message: 'm', param: null }

const chatDelta = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
  id: 'x',
  choices: [{ index: 0, delta, finish_reason }],
})
const toolCall = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
const annotation = {
  type: 'url_citation',
  url_citation: { url: 'https://x', title: 't', start_index: 0, end_index: 1 },
}
const responsesCall = { type: 'function_call', id: 'fc', call_id: 'a', name: 'f', arguments: '{}' }
const responsesText = { type: 'output_text', text: 'a', annotations: [{ type: 'url_citation', url: 'https://x' }] }
const cohereCall = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
const cohereSource = { type: 'tool', id: 'w', tool_output: { title: 't', url: 'https://x' } }
const cohereCitation = { start: 0, end: 1, text: 'a', sources: [cohereSource], type: 'TEXT_CONTENT', content_index: 0 }
const cohereUsage = { billed_units: { input_tokens: 5, output_tokens: 7 }, tokens: { input_tokens: 71 } }
const hunyuanChunk = (Delta: JsonObject, FinishReason = ''): JsonObject => ({
  Id: 'a',
  Usage: { PromptTokens: 5, CompletionTokens: 7, TotalTokens: 12 },
  Choices: [{ Index: 0, Delta, FinishReason }],
})
const sparkFrame = (status: number, text: JsonObject): JsonObject => ({
  header: { code: 0, message: 'Success', sid: 's', status },
  payload: {
    choices: { status, seq: 0, text: [{ role: 'assistant', index: 0, ...text }] },
    usage: { text: { question_tokens: 2, ...usage } },
  },
})
const difyEvent = (event: string, members: JsonObject = {}): JsonObject => ({
  event,
  conversation_id: 'c',
  message_id: 'm',
  ...members,
})

/** What an upstream sends in each dialect, whole and streamed: of each shape that its reader knows one. */
const upstreamBodies: Partial<Record<DialectId, readonly JsonObject[]>> = {
  'openai-chat': [
    chatDelta({ role: 'assistant', content: 'a', reasoning_content: 'r', annotations: [annotation] }),
    chatDelta({ reasoning_details: [{ type: 'reasoning.text', text: 'r', signature: 's', id: 'i', index: 0 }] }),
    chatDelta({ tool_calls: [toolCall] }),
    chatDelta({ tool_calls: [{ index: 1, id: 'b', type: 'custom', custom: { name: 'g', input: 'x' } }] }, 'tool_calls'),
    chatDelta({
      content: [
        { type: 'thinking', thinking: [{ text: 'r' }] },
        { type: 'text', text: 'a' },
      ],
    }),
    chatDelta({ images: [{ image_url: { url: 'data:image/png;base64,AA' } }], audio: { data: 'AA', transcript: 'a' } }),
    {
      choices: [{ message: { content: 'a', refusal: 'no' }, logprobs: { content: [{ token: 'a', logprob: -1 }] } }],
      usage,
    },
    { error },
  ],
  'openai-responses': [
    { type: 'response.created', response: { id: 'r', model: 'm', created_at: 1 } },
    { type: 'response.output_item.added', output_index: 0, item: responsesCall },
    { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{}' },
    { type: 'response.output_item.done', output_index: 0, item: responsesCall },
    { type: 'response.content_part.added', output_index: 1, content_index: 0, part: responsesText },
    { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'a', logprobs: [{ token: 'a' }] },
    { type: 'response.reasoning_summary_text.delta', output_index: 2, summary_index: 0, delta: 'r' },
    { type: 'response.completed', response: { output: [{ type: 'message', content: [responsesText] }], usage } },
    { id: 'r', status: 'completed', output: [responsesCall, { type: 'reasoning', summary: [{ text: 'r' }] }], usage },
    { ...error, type: 'error' },
  ],
  'anthropic-messages': [
    { type: 'message_start', message: { id: 'm', model: 'm', usage: { input_tokens: 5, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'f', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'a', citations: [{ url: 'u' }] } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'a' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'thinking_delta', thinking: 'r' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
    { id: 'm', content: [{ type: 'thinking', thinking: 'r', signature: 's' }], stop_reason: 'end_turn', usage: {} },
    { type: 'error', error },
  ],
  gemini: [
    {
      candidates: [
        {
          index: 0,
          content: {
            parts: [{ text: 'a', thought: true, thoughtSignature: 's' }, { functionCall: { name: 'f', args: {} } }],
          },
          groundingMetadata: {
            groundingChunks: [{ web: { uri: 'https://x', title: 't' } }],
            groundingSupports: [{ segment: { startIndex: 0, endIndex: 1 }, groundingChunkIndices: [0] }],
          },
          logprobsResult: { chosenCandidates: [{ token: 'a', logProbability: -1 }] },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, promptTokensDetails: [{ modality: 'TEXT' }] },
    },
    { candidates: [{ content: { parts: [{ functionCall: { name: 'f', partialArgs: [{ jsonPath: '$.a' }] } }] } }] },
    { candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' } }] } }] },
    { promptFeedback: { blockReason: 'SAFETY' } },
    { error: { code: 400, message: 'm', status: 'INVALID_ARGUMENT' } },
  ],
  'palm-chat': [
    { candidates: [{ author: '1', content: 'a' }], messages: [{ author: '0', content: 'b' }] },
    { filters: [{ reason: 'OTHER', message: 'm' }] },
    { error: { code: 1, message: 'm' } },
  ],
  'baidu-chat': [
    {
      id: 'a',
      created: 1,
      result: 'a',
      is_end: true,
      function_call: { name: 'f', arguments: '{}', thoughts: 't' },
      search_info: { search_results: [{ url: 'https://x', title: 't' }] },
      usage,
    },
    { error_code: 1, error_msg: 'm' },
  ],
  'cohere-chat': [
    {
      id: 'a',
      message: {
        tool_plan: 'p',
        content: [{ type: 'text', text: 't' }],
        tool_calls: [cohereCall],
        citations: [cohereCitation],
      },
      finish_reason: 'COMPLETE',
      usage: cohereUsage,
    },
    { type: 'message-start', id: 'a', delta: { message: { role: 'assistant', content: [] } } },
    { type: 'tool-plan-delta', delta: { message: { tool_plan: 'p' } } },
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
    { type: 'content-delta', index: 0, delta: { message: { content: { text: 'a' } } } },
    { type: 'content-end', index: 0 },
    { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: cohereCall } } },
    { type: 'tool-call-delta', index: 0, delta: { message: { tool_calls: { function: { arguments: '{}' } } } } },
    { type: 'tool-call-end', index: 0 },
    { type: 'citation-start', delta: { message: { citations: cohereCitation } } },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: cohereUsage } },
    { type: 'error', message: 'm' },
  ],
  'aiproxy-library': [
    { success: true, answer: 'a', documents: [{ title: 't', url: 'https://x' }], errCode: 0 },
    { content: 'a', finish: true, model: 'm', documents: [{ title: 't', url: '' }] },
  ],
  'zhipu-chat': [
    {
      code: 200,
      msg: 'm',
      success: true,
      data: { task_id: 't', choices: [{ role: 'assistant', content: '"a"' }], usage },
    },
    { event: 'add', data: 'a' },
    { event: 'finish', data: '', meta: { task_id: 't', usage } },
    { event: 'error', data: '{"code":1,"msg":"m"}' },
  ],
  'bedrock-converse': [
    {
      output: {
        message: {
          role: 'assistant',
          content: [{ text: 'a' }, { toolUse: { toolUseId: 'c', name: 'f', input: {} } }],
        },
      },
      stopReason: 'tool_use',
      usage: { inputTokens: 5, outputTokens: 7 },
    },
    { role: 'assistant' },
    { contentBlockIndex: 0, delta: { text: 'a' } },
    { contentBlockIndex: 0, delta: { reasoningContent: { text: 'r', signature: 's', redactedContent: 'd' } } },
    { contentBlockIndex: 0 },
    { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'c', name: 'f' } } },
    { contentBlockIndex: 1, delta: { toolUse: { input: '{}' } } },
    { stopReason: 'malformed_tool_use' },
    { stopReason: 'end_turn' },
    { usage: { inputTokens: 5, outputTokens: 7 }, metrics: { latencyMs: 1 } },
  ],
  'hunyuan-chat': [
    { Response: hunyuanChunk({ Content: 'a', ReasoningContent: 'r' }, 'stop') },
    hunyuanChunk({ ToolCalls: [{ Id: 'c', Type: 'function', Index: 0, Function: { Name: 'f', Arguments: '{}' } }] }),
    { ErrorMsg: { Code: 4, Msg: 'm' } },
  ],
  'ollama-chat': [
    {
      model: 'm',
      created_at: '2025-06-15T00:00:00Z',
      message: { role: 'assistant', content: 'a', thinking: 'r' },
      done: false,
    },
    { message: { content: '', tool_calls: [{ id: 'c', function: { index: 0, name: 'f', arguments: { a: 1 } } }] } },
    { message: { content: '' }, done: true, done_reason: 'length', prompt_eval_count: 5, eval_count: 7 },
    { error: 'm' },
  ],
  'spark-chat': [
    sparkFrame(0, { content: 'a' }),
    sparkFrame(2, { function_call: { name: 'f', arguments: '{}' } }),
    { header: { code: 10_013, message: 'm', sid: 's', status: 2 } },
  ],
  'coze-chat': [
    { event: 'conversation.message.delta', conversation_id: 'c', id: 'm', type: 'answer', content: 'a' },
    { event: 'conversation.message.completed', id: 'f', type: 'function_call', content: '{"name":"f","arguments":{}}' },
    { event: 'conversation.message.completed', id: 'f', type: 'tool_response', content: 'o' },
    {
      event: 'conversation.chat.completed',
      conversation_id: 'c',
      usage: { token_count: 12, input_count: 5, output_count: 7 },
    },
    { event: 'conversation.chat.failed', last_error: { code: 1, msg: 'm' } },
    { event: 'error', code: 1, msg: 'm' },
  ],
  'dify-chat': [
    difyEvent('message', { answer: 'a' }),
    difyEvent('agent_thought', { id: 's', tool: 'f', tool_input: '{}', observation: 'o' }),
    difyEvent('message_end', { metadata: { usage } }),
    {
      event: 'workflow_finished',
      workflow_run_id: 'w',
      data: { status: 'failed', error: 'm', outputs: { text: 'a' } },
    },
    { event: 'error', status: 400, code: 'c', message: 'm' },
  ],
}

const ids = Object.keys(upstreamCodecs) as DialectId[]

/** `FUZZ_RUNS=100000` tries as many streams of each dialect. In CI it takes what finds nearly every fault at once. */
const numRuns = Number(Bun.env['FUZZ_RUNS'] ?? 150)

test.each(ids)(
  'nothing that an upstream says in %s breaks a reader, whose blocks stay in order',
  (id) => {
    const [codec, bodies] = [upstreamCodecs[id], upstreamBodies[id] ?? []]
    const dialect = dialects[id]
    expect(bodies).not.toBeEmpty()
    fc.assert(
      fc.property(fc.array(mutationsOf(bodies), { minLength: 1, maxLength: 6 }), (all) => {
        const reader = codec?.createReader()
        const events = all.flatMap((body) => [...(reader?.read({ name: '', data: JSON.stringify(body) }) ?? [])])
        expect(isOrderly([...events, ...(reader?.end() ?? [])])).toBe(true)
        for (const body of all) {
          expect(isOrderly(codec?.readAnswer(body) ?? [])).toBe(true)
          dialect.readAnswer(body).completionText()
        }
      }),
      { numRuns },
    )
  },
  120_000,
)
