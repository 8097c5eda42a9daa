import type Anthropic from '@anthropic-ai/sdk'
import type { Candidate, GroundingMetadata, Part } from '@google/genai'
import type OpenAI from 'openai'

import type { JsonObject } from '../../core/json'

type Block = Anthropic.Beta.BetaContentBlock['type']
type Item = OpenAI.Responses.ResponseOutputItem['type']
type ChatMember = keyof OpenAI.Chat.ChatCompletionMessage

/** A value of each kind that an answer may hold: a new kind does not compile until it stands here. */
export const answerBlocks = {
  text: { text: 'mark' },
  thinking: { thinking: 'mark', signature: '' },
  redacted_thinking: { data: 'mark' },
  tool_use: { id: 'c', name: 'mark', input: {} },
  server_tool_use: { id: 's', name: 'web_fetch', input: {} },
  web_search_tool_result: { tool_use_id: 's', content: [] },
  web_fetch_tool_result: { tool_use_id: 's', content: {} },
  advisor_tool_result: { tool_use_id: 's', content: {} },
  code_execution_tool_result: { tool_use_id: 's', content: {} },
  bash_code_execution_tool_result: { tool_use_id: 's', content: {} },
  text_editor_code_execution_tool_result: { tool_use_id: 's', content: {} },
  tool_search_tool_result: { tool_use_id: 's', content: {} },
  mcp_tool_use: { id: 's', name: 'x', server_name: 'y', input: {} },
  mcp_tool_result: { tool_use_id: 's', content: [], is_error: false },
  mcp_tool_listing: { server_name: 'y' },
  container_upload: { file_id: 'f' },
  compaction: { content: 'x' },
  fallback: {},
} satisfies Record<Block, JsonObject>

export const answerItems = {
  message: { content: [{ type: 'output_text', text: 'mark', annotations: [] }] },
  file_search_call: { queries: ['x'] },
  function_call: { call_id: 'c', name: 'mark', arguments: '{}' },
  function_call_output: { call_id: 'c', output: 'x' },
  web_search_call: { action: { type: 'open_page', url: 'https://a' } },
  computer_call: { call_id: 'c', action: {} },
  computer_call_output: { call_id: 'c', output: {} },
  reasoning: { summary: [{ type: 'summary_text', text: 'mark' }] },
  program: { code: 'x' },
  program_output: { result: 'x' },
  tool_search_call: { arguments: {} },
  tool_search_output: { tools: [] },
  additional_tools: { tools: [] },
  compaction: { encrypted_content: 'x' },
  image_generation_call: { status: 'failed' },
  code_interpreter_call: { code: 'x', container_id: 'c' },
  local_shell_call: { call_id: 'c', action: {} },
  local_shell_call_output: { output: 'x' },
  shell_call: { call_id: 'c', action: {} },
  shell_call_output: { call_id: 'c', output: [] },
  apply_patch_call: { call_id: 'c', operation: {} },
  apply_patch_call_output: { call_id: 'c' },
  mcp_call: { name: 'x', server_label: 'y', arguments: '{}', output: 'x' },
  mcp_list_tools: { server_label: 'y', tools: [] },
  mcp_approval_request: { name: 'x', server_label: 'y', arguments: '{}' },
  mcp_approval_response: { approval_request_id: 'a', approve: true },
  custom_tool_call: { call_id: 'c', name: 'mark', input: 'x' },
  custom_tool_call_output: { call_id: 'c', output: 'x' },
} satisfies Record<Item, JsonObject>

export const answerParts = {
  text: { text: 'mark' },
  inlineData: { inlineData: { mimeType: 'image/png', data: 'mark' } },
  fileData: { fileData: { fileUri: 'https://mark', mimeType: 'image/png' } },
  functionCall: { functionCall: { name: 'mark', args: {} } },
  functionResponse: { functionResponse: { name: 'f', response: {} } },
  executableCode: { executableCode: { code: 'mark' } },
  codeExecutionResult: { codeExecutionResult: { output: 'mark' } },
  toolCall: { toolCall: { id: 'x' } },
  toolResponse: { toolResponse: { id: 'x' } },
  audioTranscription: { audioTranscription: { text: 'x' } },
  mediaResolution: { text: 'x', mediaResolution: { level: 'X' } },
  mediaProcessing: { text: 'x', mediaProcessing: { level: 'X' } },
  partMetadata: { text: 'x', partMetadata: { a: 'x' } },
  speechMetadata: { text: 'x', speechMetadata: { a: 'x' } },
  videoMetadata: { text: 'x', videoMetadata: { fps: 1 } },
  thought: { text: 'mark', thought: true },
  thoughtSignature: { text: 'x', thoughtSignature: 'bWFyaw==' },
} satisfies Record<keyof Required<Part>, JsonObject>

/** Members of a candidate beside its content; null: says nothing of what was answered. */
export const candidateMembers = {
  content: null,
  index: null,
  finishReason: null,
  finishMessage: null,
  safetyRatings: null,
  tokenCount: null,
  avgLogprobs: null,
  logprobsResult: null,
  citationMetadata: { citations: [{ uri: 'https://mark' }] },
  groundingMetadata: { groundingChunks: [{ web: { uri: 'https://mark' } }] },
  urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'https://x' }] },
  continuationToken: 'x',
} satisfies Record<keyof Required<Candidate>, unknown>

export const groundingMembers = {
  groundingChunks: [{ web: { uri: 'https://mark' } }],
  groundingSupports: null,
  webSearchQueries: null,
  retrievalMetadata: { googleSearchDynamicRetrievalScore: 1 },
  searchEntryPoint: { renderedContent: 'x' },
  googleMapsWidgetContextToken: 'x',
  imageSearchQueries: ['x'],
  retrievalQueries: ['x'],
  sourceFlaggingUris: [{ sourceId: 'x' }],
} satisfies Record<keyof Required<GroundingMetadata>, unknown>

/** Members of a message that answers; those of hosts that follow OpenAI are behind them. */
export const answerMembers = {
  role: null,
  content: 'mark',
  refusal: 'mark',
  annotations: [{ type: 'url_citation', url_citation: { url: 'https://mark', title: 'x' } }],
  audio: { id: 'a', data: 'AAAA', transcript: 'mark' },
  function_call: { name: 'mark', arguments: '{}' },
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'mark', arguments: '{}' } }],
} satisfies Record<ChatMember, unknown>

export const answerMembersOfOthers: JsonObject = {
  reasoning_content: 'mark',
  reasoning: 'mark',
  reasoning_details: [{ type: 'reasoning.text', text: 'mark' }],
  thinking_blocks: [{ type: 'thinking', thinking: 'mark', signature: 'x' }],
  images: [{ image_url: { url: 'https://mark/a.png' } }],
  provider_specific_fields: { x: 1 },
  reasoning_opaque: 'x',
  extra_content: { google: { thought_signature: 'x' } },
}
