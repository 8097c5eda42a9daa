import type { JsonObject } from '../../../core/json'

/** A message with everything that an answer can hold. */
export const fullMessage: JsonObject = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [
    { type: 'thinking', thinking: 'First search.', signature: 'c2lnMQ==' },
    { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' },
    { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: { query: 'harbour ice' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_01',
      content: [{ type: 'web_search_result', url: 'https://a.example', title: 'Ice', encrypted_content: 'ZQ==' }],
    },
    {
      type: 'text',
      text: 'It freezes in January.',
      citations: [
        {
          type: 'web_search_result_location',
          url: 'https://a.example',
          title: 'Ice',
          cited_text: 'freezes in January',
          encrypted_index: 'aWR4',
        },
        {
          type: 'char_location',
          cited_text: 'January',
          document_index: 0,
          document_title: 'Log',
          start_char_index: 3,
          end_char_index: 10,
        },
      ],
    },
    { type: 'tool_use', id: 'toolu_01', name: 'lookup', input: { place: 'harbour', n: [1, 2] } },
    { type: 'tool_use', id: 'toolu_02', name: 'now', input: {} },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: {
    input_tokens: 7,
    cache_creation_input_tokens: 30,
    cache_read_input_tokens: 100,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    output_tokens: 9,
    output_tokens_details: { thinking_tokens: 4 },
    server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
    service_tier: 'standard',
  },
}

const wire = (data: JsonObject): string => `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`

/** The same message as the vendor streams it. */
export const fullStream: string = [
  {
    type: 'message_start',
    message: {
      ...fullMessage,
      content: [],
      stop_reason: null,
      usage: {
        input_tokens: 7,
        cache_creation_input_tokens: 30,
        cache_read_input_tokens: 100,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
        output_tokens: 1,
        service_tier: 'standard',
      },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'First ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'search.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnMQ==' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: {} },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"query":' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: ' "harbour ice"}' } },
  { type: 'content_block_stop', index: 2 },
  {
    type: 'content_block_start',
    index: 3,
    content_block: {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_01',
      content: [{ type: 'web_search_result', url: 'https://a.example', title: 'Ice', encrypted_content: 'ZQ==' }],
    },
  },
  { type: 'content_block_stop', index: 3 },
  { type: 'content_block_start', index: 4, content_block: { type: 'text', text: '', citations: [] } },
  {
    type: 'content_block_delta',
    index: 4,
    delta: {
      type: 'citations_delta',
      citation: {
        type: 'web_search_result_location',
        url: 'https://a.example',
        title: 'Ice',
        cited_text: 'freezes in January',
        encrypted_index: 'aWR4',
      },
    },
  },
  {
    type: 'content_block_delta',
    index: 4,
    delta: {
      type: 'citations_delta',
      citation: {
        type: 'char_location',
        cited_text: 'January',
        document_index: 0,
        document_title: 'Log',
        start_char_index: 3,
        end_char_index: 10,
      },
    },
  },
  { type: 'content_block_delta', index: 4, delta: { type: 'text_delta', text: 'It freezes ' } },
  { type: 'content_block_delta', index: 4, delta: { type: 'text_delta', text: 'in January.' } },
  { type: 'content_block_stop', index: 4 },
  {
    type: 'content_block_start',
    index: 5,
    content_block: { type: 'tool_use', id: 'toolu_01', name: 'lookup', input: {} },
  },
  { type: 'content_block_delta', index: 5, delta: { type: 'input_json_delta', partial_json: '' } },
  { type: 'content_block_delta', index: 5, delta: { type: 'input_json_delta', partial_json: '{"place":"har' } },
  { type: 'content_block_delta', index: 5, delta: { type: 'input_json_delta', partial_json: 'bour","n":[1,2]}' } },
  { type: 'content_block_stop', index: 5 },
  {
    type: 'content_block_start',
    index: 6,
    content_block: { type: 'tool_use', id: 'toolu_02', name: 'now', input: {} },
  },
  { type: 'content_block_delta', index: 6, delta: { type: 'input_json_delta', partial_json: '' } },
  { type: 'content_block_stop', index: 6 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: {
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
    },
  },
  { type: 'message_stop' },
]
  .map(wire)
  .join('')
