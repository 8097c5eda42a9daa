import type { JsonObject } from '../../json'
import type { DialectId } from '../../mode'

const schema = { type: 'object', properties: { Model: { type: 'string' }, content: { type: 'string' } } }

const cohereCommon = {
  model: 'm',
  stream: false,
  max_tokens: 9,
  temperature: 1,
  k: 1,
  p: 0.5,
  stop_sequences: ['x'],
  documents: [{ data: { a: 'b' } }],
}
const cohereVectors = {
  model: 'm',
  texts: ['x'],
  inputs: [{ content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] }],
  input_type: 'search_query',
  embedding_types: ['float'],
  truncate: 'END',
}

const ollamaCommon = {
  model: 'm',
  stream: false,
  think: true,
  format: schema,
  keep_alive: '5m',
  options: { temperature: 1, num_predict: 9, num_ctx: 9, stop: ['x'], seed: 1 },
  logprobs: true,
  top_logprobs: 1,
}

/** Requests of Ollama's and Cohere's clients that make every reader look at everything it knows. */
export const vendorRequests = {
  'ollama-chat': [
    {
      ...ollamaCommon,
      messages: [
        { role: 'user', content: 'x', images: ['AAAA'] },
        {
          role: 'assistant',
          content: '',
          thinking: 'hm',
          tool_calls: [{ id: 'c', function: { index: 0, name: 'f', arguments: {} } }],
        },
        { role: 'tool', tool_name: 'f', tool_call_id: 'c', content: 'y' },
      ],
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema } }],
    },
  ],
  'ollama-generate': [{ ...ollamaCommon, prompt: 'x', system: 's', images: ['AAAA'] }],
  'ollama-embeddings': [{ model: 'm', input: ['x'], dimensions: 3, truncate: true, keep_alive: 0, options: {} }],
  'ollama-embedding': [{ model: 'm', prompt: 'x', keep_alive: 0, options: {} }],
  'cohere-chat': [
    {
      ...cohereCommon,
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x', detail: 'low' } }] },
        {
          role: 'assistant',
          tool_plan: 'p',
          content: [{ type: 'thinking', thinking: 'hm' }],
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        {
          role: 'tool',
          tool_call_id: 'c',
          content: [{ type: 'document', document: { id: '1', data: { a: 1 } } }],
        },
      ],
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema } }],
      strict_tools: true,
      tool_choice: 'REQUIRED',
      citation_options: { mode: 'FAST' },
      response_format: { type: 'json_object', json_schema: schema },
      thinking: { type: 'enabled', token_budget: 9 },
    },
  ],
  'cohere-chat-v1': [
    {
      ...cohereCommon,
      message: 'x',
      preamble: 'p',
      chat_history: [
        { role: 'USER', message: 'x' },
        { role: 'CHATBOT', message: 'y', tool_calls: [{ name: 'f', parameters: {} }] },
        { role: 'TOOL', tool_results: [{ call: { name: 'f', parameters: {} }, outputs: [{}] }] },
      ],
      tools: [{ name: 'f', description: 'd', parameter_definitions: { a: { type: 'str' } } }],
      tool_results: [{ call: { name: 'f', parameters: {} }, outputs: [{}] }],
      response_format: { type: 'json_object', schema },
      citation_quality: 'fast',
    },
  ],
  'cohere-embeddings': [cohereVectors],
  'cohere-embeddings-v1': [cohereVectors],
} satisfies Partial<Record<DialectId, readonly JsonObject[]>>
