import type { JsonObject } from '../../../core/json'

const usage = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 100, cache_write_tokens: 0 },
  output_tokens: 40,
  output_tokens_details: { reasoning_tokens: 12 },
  total_tokens: 160,
}

const reasoning = {
  id: 'rs_01',
  type: 'reasoning',
  summary: [
    { type: 'summary_text', text: 'First search.' },
    { type: 'summary_text', text: 'Then answer.' },
  ],
  encrypted_content: 'gAAAAAsig',
}
const search = {
  id: 'ws_01',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'harbour ice', queries: ['harbour ice'] },
}
const annotation = {
  type: 'url_citation',
  start_index: 0,
  end_index: 10,
  url: 'https://a.example',
  title: 'Ice',
}
const message = {
  id: 'msg_01',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [
    { type: 'output_text', text: 'It freezes in "January" 冰.', annotations: [annotation], logprobs: [] },
    { type: 'refusal', refusal: 'No more.' },
  ],
}
const call = {
  id: 'fc_01',
  type: 'function_call',
  status: 'completed',
  arguments: '{"place":"harbour","n":[1,2]}',
  call_id: 'call_01',
  name: 'lookup',
}
const custom = {
  id: 'ctc_01',
  type: 'custom_tool_call',
  status: 'completed',
  call_id: 'call_02',
  name: 'shell',
  input: 'ls -l',
}

/** A response with everything that an answer can hold. */
export const fullResponse: JsonObject = {
  id: 'resp_01',
  object: 'response',
  created_at: 1_760_000_000,
  status: 'completed',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  model: 'gpt-5.1-2025-11-13',
  output: [reasoning, search, message, call, custom],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  usage,
  user: null,
  metadata: {},
}

/** Events as the vendor sends them, numbered. */
export const wire = (events: readonly JsonObject[]): string =>
  events
    .map((event, sequence_number) => ({ ...event, sequence_number }))
    .map((event: JsonObject) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')

const inProgressResponse = { ...fullResponse, status: 'in_progress', output: [], usage: null }
const at = (output_index: number, item_id: string) => ({ item_id, output_index })
const summary = (summary_index: number, text: string): JsonObject[] => [
  {
    type: 'response.reasoning_summary_part.added',
    ...at(0, 'rs_01'),
    summary_index,
    part: { type: 'summary_text', text: '' },
  },
  { type: 'response.reasoning_summary_text.delta', ...at(0, 'rs_01'), summary_index, delta: text.slice(0, 5) },
  { type: 'response.reasoning_summary_text.delta', ...at(0, 'rs_01'), summary_index, delta: text.slice(5) },
  { type: 'response.reasoning_summary_text.done', ...at(0, 'rs_01'), summary_index, text },
  {
    type: 'response.reasoning_summary_part.done',
    ...at(0, 'rs_01'),
    summary_index,
    part: { type: 'summary_text', text },
  },
]
const text = { ...at(2, 'msg_01'), content_index: 0 }
const refusal = { ...at(2, 'msg_01'), content_index: 1 }

/** The same response as the vendor streams it. */
export const fullEvents: readonly JsonObject[] = [
  { type: 'response.created', response: inProgressResponse },
  { type: 'response.in_progress', response: inProgressResponse },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...reasoning, summary: [], encrypted_content: 'gAAAAAearly' },
  },
  ...summary(0, 'First search.'),
  ...summary(1, 'Then answer.'),
  { type: 'response.output_item.done', output_index: 0, item: reasoning },
  { type: 'response.output_item.added', output_index: 1, item: { ...search, status: 'in_progress' } },
  { type: 'response.web_search_call.in_progress', ...at(1, 'ws_01') },
  { type: 'response.web_search_call.searching', ...at(1, 'ws_01') },
  { type: 'response.web_search_call.completed', ...at(1, 'ws_01') },
  { type: 'response.output_item.done', output_index: 1, item: search },
  {
    type: 'response.output_item.added',
    output_index: 2,
    item: { ...message, status: 'in_progress', content: [] },
  },
  {
    type: 'response.content_part.added',
    ...text,
    part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
  },
  { type: 'response.output_text.delta', ...text, delta: 'It freezes', logprobs: [], obfuscation: 'x8' },
  { type: 'response.output_text.annotation.added', ...text, annotation_index: 0, annotation },
  { type: 'response.output_text.delta', ...text, delta: ' in "January" 冰.', logprobs: [] },
  { type: 'response.output_text.done', ...text, text: 'It freezes in "January" 冰.', logprobs: [] },
  { type: 'response.content_part.done', ...text, part: message.content[0] },
  { type: 'response.content_part.added', ...refusal, part: { type: 'refusal', refusal: '' } },
  { type: 'response.refusal.delta', ...refusal, delta: 'No ' },
  { type: 'response.refusal.delta', ...refusal, delta: 'more.' },
  { type: 'response.refusal.done', ...refusal, refusal: 'No more.' },
  { type: 'response.content_part.done', ...refusal, part: message.content[1] },
  { type: 'response.output_item.done', output_index: 2, item: message },
  {
    type: 'response.output_item.added',
    output_index: 3,
    item: { ...call, status: 'in_progress', arguments: '' },
  },
  { type: 'response.function_call_arguments.delta', ...at(3, 'fc_01'), delta: '{"place":"har' },
  { type: 'response.function_call_arguments.delta', ...at(3, 'fc_01'), delta: 'bour","n":[1,2]}' },
  { type: 'response.function_call_arguments.done', ...at(3, 'fc_01'), arguments: call.arguments },
  { type: 'response.output_item.done', output_index: 3, item: call },
  { type: 'response.output_item.added', output_index: 4, item: { ...custom, status: 'in_progress', input: '' } },
  { type: 'response.custom_tool_call_input.delta', ...at(4, 'ctc_01'), delta: 'ls -l' },
  { type: 'response.custom_tool_call_input.done', ...at(4, 'ctc_01'), input: 'ls -l' },
  { type: 'response.output_item.done', output_index: 4, item: custom },
  { type: 'response.completed', response: fullResponse },
]

export const fullStream: string = wire(fullEvents)
