import type Anthropic from '@anthropic-ai/sdk'
import type { GenerationConfig } from '@google/genai'
import type OpenAI from 'openai'

import type { JsonObject } from '../../core/json'

/** A member of a request that asks for something, and the others without which it would ask for nothing. */
interface Member {
  readonly value: unknown
  readonly companions?: JsonObject
}

/** What is part of every request, or says how the gateway shall send the answer. */
type Chat = Exclude<
  keyof OpenAI.Chat.ChatCompletionCreateParamsNonStreaming,
  'model' | 'messages' | 'stream' | 'stream_options'
>
type Responses = Exclude<
  keyof OpenAI.Responses.ResponseCreateParamsNonStreaming,
  'model' | 'input' | 'stream' | 'stream_options' | 'background' | 'store'
>
/** The betas, and two more, are headers. The tier asks for nothing that other vendors would not do by themselves. */
type Messages = Exclude<
  keyof Anthropic.Beta.MessageCreateParamsNonStreaming,
  'model' | 'messages' | 'max_tokens' | 'stream' | 'betas' | 'user_profile_id' | 'workspace_id' | 'service_tier'
>

const chatTool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }
const responsesTool = { type: 'function', name: 'f', parameters: { type: 'object' } }
const claudeTool = { name: 'f', input_schema: { type: 'object' } }
const schema = { type: 'object', properties: { a: { type: 'string' } } }

/** Each member that the vendor publishes: a new one does not compile until it stands here. */
export const chatMembers = {
  audio: { value: { voice: 'alloy', format: 'mp3' }, companions: { modalities: ['text', 'audio'] } },
  frequency_penalty: { value: 0.5 },
  function_call: { value: { name: 'f' }, companions: { functions: [chatTool.function] } },
  functions: { value: [chatTool.function] },
  logit_bias: { value: { 50_256: -100 } },
  logprobs: { value: true },
  max_completion_tokens: { value: 77 },
  max_tokens: { value: 77 },
  metadata: { value: { mark: 'a' } },
  modalities: { value: ['text', 'audio'] },
  moderation: { value: { model: 'mark' } },
  n: { value: 2 },
  parallel_tool_calls: { value: false, companions: { tools: [chatTool] } },
  prediction: { value: { type: 'content', content: 'mark' } },
  presence_penalty: { value: 0.5 },
  prompt_cache_key: { value: 'mark' },
  prompt_cache_options: { value: { ttl: '24h' } },
  prompt_cache_retention: { value: '24h' },
  reasoning_effort: { value: 'high' },
  response_format: { value: { type: 'json_schema', json_schema: { name: 'a', schema } } },
  safety_identifier: { value: 'mark' },
  seed: { value: 7 },
  service_tier: { value: 'flex' },
  stop: { value: ['mark'] },
  store: { value: true },
  temperature: { value: 0.3 },
  tool_choice: { value: 'required', companions: { tools: [chatTool] } },
  tools: { value: [chatTool] },
  top_logprobs: { value: 3, companions: { logprobs: true } },
  top_p: { value: 0.3 },
  user: { value: 'mark' },
  verbosity: { value: 'low' },
  web_search_options: { value: { search_context_size: 'low' } },
} satisfies Record<Chat, Member>

/** What is part of every request for a picture, or says how the gateway shall send it. */
type Drawing = Exclude<
  keyof OpenAI.ImageGenerateParams | keyof OpenAI.ImageEditParams,
  'model' | 'prompt' | 'image' | 'mask' | 'n' | 'response_format' | 'stream'
>

export const imageMembers = {
  background: { value: 'transparent' },
  complexity: { value: 'high' },
  frame_count: { value: 8 },
  frame_duration_ms: { value: 90 },
  input_fidelity: { value: 'high' },
  markup: { value: 'mark' },
  moderation: { value: 'low' },
  output_compression: { value: 77 },
  output_format: { value: 'svg' },
  partial_images: { value: 2 },
  quality: { value: 'low' },
  safety_identifier: { value: 'mark' },
  size: { value: '512x512' },
  style: { value: 'vivid' },
  svg: { value: { model: 'mark' } },
  user: { value: 'mark' },
} satisfies Record<Drawing, Member>

/** Members of vendors that follow OpenAI. */
export const chatMembersOfOthers: Readonly<Record<string, Member>> = {
  top_k: { value: 40 },
  min_p: { value: 0.1 },
  repetition_penalty: { value: 1.1 },
  enable_thinking: { value: true },
  search_parameters: { value: { mode: 'auto' } },
  thinking_budget: { value: 5000, companions: { reasoning_effort: 'low' } },
  thinking: { value: { type: 'enabled', budget_tokens: 2048 } },
  reasoning: { value: { effort: 'high' } },
  chat_template_kwargs: { value: { mark: true } },
  extra_body: { value: { google: { image_config: { image_size: '4K' } } } },
  image_config: { value: { image_size: '4K' } },
  num_ctx: { value: 8192 },
  think: { value: true },
  keep_alive: { value: '5m' },
  options: { value: { num_ctx: 8192 } },
  format: { value: 'json' },
  provider: { value: { order: ['mark'] } },
  of_tomorrow: { value: 'mark' },
}

export const responsesMembers = {
  access_programs: { value: ['mark'] },
  background_options: { value: { completion_window: '2h' } },
  context_management: { value: [{ type: 'compaction', compact_threshold: 9000 }] },
  conversation: { value: 'conv_mark' },
  image: { value: { quality: 'high' } },
  include: { value: ['web_search_call.action.sources'] },
  instructions: { value: 'mark' },
  max_output_tokens: { value: 77 },
  max_tool_calls: { value: 3 },
  metadata: { value: { mark: 'a' } },
  moderation: { value: { model: 'mark' } },
  parallel_tool_calls: { value: false, companions: { tools: [responsesTool] } },
  previous_response_id: { value: 'resp_mark' },
  prompt: { value: { id: 'pmpt_mark' } },
  prompt_cache_key: { value: 'mark' },
  prompt_cache_options: { value: { ttl: '24h' } },
  prompt_cache_retention: { value: '24h' },
  reasoning: { value: { effort: 'high' } },
  safety_identifier: { value: 'mark' },
  service_tier: { value: 'flex' },
  temperature: { value: 0.3 },
  text: { value: { verbosity: 'low' } },
  tool_choice: { value: 'required', companions: { tools: [responsesTool] } },
  tools: { value: [responsesTool] },
  top_logprobs: { value: 3, companions: { include: ['message.output_text.logprobs'] } },
  top_p: { value: 0.3 },
  truncation: { value: 'auto' },
  user: { value: 'mark' },
} satisfies Record<Responses, Member>

/** Members of the Open Responses specification. */
export const responsesMembersOfOthers: Readonly<Record<string, Member>> = {
  presence_penalty: { value: 0.5 },
  frequency_penalty: { value: 0.25 },
}

export const messagesMembers = {
  billing_policy: { value: { mark: true } },
  cache_control: { value: { type: 'ephemeral' } },
  compaction: { value: { instructions: 'mark' } },
  container: { value: 'container_mark' },
  context_management: { value: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
  diagnostics: { value: { previous_message_id: 'msg_mark' } },
  fallback_credit_token: { value: 'mark' },
  fallbacks: { value: [{ model: 'mark' }] },
  inference_geo: { value: 'us' },
  mcp_servers: { value: [{ type: 'url', url: 'https://mark', name: 'mark' }] },
  metadata: { value: { user_id: 'mark' } },
  output_config: { value: { task_budget: { type: 'tokens', total: 9000 } } },
  output_format: { value: { type: 'json_schema', schema } },
  speed: { value: 'fast' },
  stop_sequences: { value: ['mark'] },
  system: { value: 'mark' },
  temperature: { value: 0.3 },
  thinking: { value: { type: 'enabled', budget_tokens: 2048 }, companions: { max_tokens: 9000 } },
  thread: { value: { type: 'continue', previous_message_id: 'msg_mark' } },
  tool_choice: { value: { type: 'any' }, companions: { tools: [claudeTool] } },
  tools: { value: [claudeTool] },
  top_k: { value: 40 },
  top_p: { value: 0.3 },
} satisfies Record<Messages | 'temperature' | 'top_k' | 'top_p', Member>

/** Next to the configuration of what is generated. */
export const geminiMembers: Readonly<Record<string, Member>> = {
  safetySettings: { value: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
  cachedContent: { value: 'cachedContents/mark' },
  labels: { value: { mark: 'a' } },
  serviceTier: { value: 'flex' },
  store: { value: true },
  systemInstruction: { value: { parts: [{ text: 'mark' }] } },
  tools: { value: [{ functionDeclarations: [{ name: 'f' }] }] },
  toolConfig: { value: { retrievalConfig: { languageCode: 'mark' } } },
}

const json = { responseMimeType: 'application/json' }

export const geminiConfig = {
  modelSelectionConfig: { value: { featureSelectionPreference: 'PRIORITIZE_QUALITY' } },
  responseJsonSchema: { value: schema, companions: json },
  audioTranscriptionConfig: { value: { languageCodes: ['mark'] } },
  audioTimestamp: { value: true },
  candidateCount: { value: 2 },
  enableAffectiveDialog: { value: true },
  frequencyPenalty: { value: 0.5 },
  logprobs: { value: 3, companions: { responseLogprobs: true } },
  maxOutputTokens: { value: 77 },
  mediaResolution: { value: 'MEDIA_RESOLUTION_LOW' },
  presencePenalty: { value: 0.5 },
  responseFormat: { value: [{ mark: true }] },
  responseLogprobs: { value: true },
  responseMimeType: { value: 'application/json' },
  responseModalities: { value: ['TEXT', 'AUDIO'] },
  responseSchema: { value: { type: 'OBJECT' }, companions: json },
  routingConfig: { value: { autoMode: {} } },
  seed: { value: 7 },
  speechConfig: { value: { languageCode: 'mark' } },
  stopSequences: { value: ['mark'] },
  temperature: { value: 0.3 },
  thinkingConfig: { value: { thinkingBudget: 2048 } },
  topK: { value: 40 },
  topP: { value: 0.3 },
  enableEnhancedCivicAnswers: { value: true },
  translationConfig: { value: { mark: true } },
} satisfies Record<keyof GenerationConfig, Member>
