import type OpenAI from 'openai'

type Tool = OpenAI.Responses.Tool
type Item = Exclude<OpenAI.Responses.ResponseInputItem, OpenAI.Responses.EasyInputMessage>
type ItemType = NonNullable<Item['type']>
type Content = OpenAI.Responses.ResponseInputContent | OpenAI.Responses.ResponseOutputMessage['content'][number]

/** A tool of each kind that the vendor publishes: a new kind does not compile until it stands here. */
export const responsesTools = {
  function: { type: 'function', name: 'mark', parameters: {}, strict: null },
  custom: { type: 'custom', name: 'mark' },
  namespace: {
    type: 'namespace',
    name: 'ns',
    description: 'd',
    tools: [{ type: 'function', name: 'mark', parameters: {} }],
  },
  shell: { type: 'shell', environment: { type: 'local' } },
  local_shell: { type: 'local_shell' },
  apply_patch: { type: 'apply_patch' },
  tool_search: { type: 'tool_search', execution: 'client' },
  file_search: { type: 'file_search', vector_store_ids: ['mark'] },
  computer: { type: 'computer' },
  computer_use_preview: {
    type: 'computer_use_preview',
    environment: 'linux',
    display_width: 1,
    display_height: 1,
  },
  web_search: { type: 'web_search' },
  web_search_2025_08_26: { type: 'web_search_2025_08_26' },
  web_search_preview: { type: 'web_search_preview' },
  web_search_preview_2025_03_11: { type: 'web_search_preview_2025_03_11' },
  mcp: { type: 'mcp', server_label: 'mark', server_url: 'https://mark' },
  code_interpreter: { type: 'code_interpreter', container: { type: 'auto' } },
  programmatic_tool_calling: { type: 'programmatic_tool_calling' },
  image_generation: { type: 'image_generation' },
} satisfies { [Kind in Tool['type']]: Tool & { readonly type: Kind } }

/** An item of each kind that a conversation may hold. */
export const responsesItems = {
  message: {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'mark', annotations: [] }],
  },
  reasoning: { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'mark' }] },
  function_call: { type: 'function_call', call_id: 'c', name: 'mark', arguments: '{}' },
  function_call_output: { type: 'function_call_output', call_id: 'c', output: 'mark' },
  custom_tool_call: { type: 'custom_tool_call', call_id: 'c', name: 'mark', input: 'x' },
  custom_tool_call_output: { type: 'custom_tool_call_output', call_id: 'c', output: 'mark' },
  shell_call: { type: 'shell_call', call_id: 'c', action: { commands: ['mark'] } },
  shell_call_output: {
    type: 'shell_call_output',
    call_id: 'c',
    output: [{ stdout: 'mark', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  },
  local_shell_call: {
    type: 'local_shell_call',
    id: 'i',
    call_id: 'c',
    status: 'completed',
    action: { type: 'exec', command: ['mark'], env: {} },
  },
  local_shell_call_output: { type: 'local_shell_call_output', id: 'c', output: 'mark' },
  apply_patch_call: {
    type: 'apply_patch_call',
    call_id: 'c',
    status: 'completed',
    operation: { type: 'delete_file', path: 'mark' },
  },
  apply_patch_call_output: { type: 'apply_patch_call_output', call_id: 'c', status: 'completed', output: 'mark' },
  tool_search_call: { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: { query: 'mark' } },
  tool_search_output: {
    type: 'tool_search_output',
    call_id: 'c',
    execution: 'client',
    tools: [{ type: 'function', name: 'mark', parameters: {}, strict: null }],
  },
  additional_tools: {
    type: 'additional_tools',
    role: 'developer',
    tools: [{ type: 'function', name: 'mark', parameters: {}, strict: null }],
  },
  configuration_update: { type: 'configuration_update', reasoning: { effort: 'low' } },
  compaction: { type: 'compaction', encrypted_content: 'gAAAA' },
  compaction_trigger: { type: 'compaction_trigger' },
  item_reference: { type: 'item_reference', id: 'mark' },
  file_search_call: { type: 'file_search_call', id: 'i', queries: ['mark'], status: 'completed' },
  web_search_call: {
    type: 'web_search_call',
    id: 'i',
    status: 'completed',
    action: { type: 'search', query: 'mark', queries: ['mark'] },
  },
  computer_call: { type: 'computer_call', id: 'i', call_id: 'c', pending_safety_checks: [], status: 'completed' },
  computer_call_output: {
    type: 'computer_call_output',
    call_id: 'c',
    output: { type: 'computer_screenshot', image_url: 'https://mark' },
  },
  image_generation_call: { type: 'image_generation_call', id: 'i', status: 'completed', result: 'mark' },
  code_interpreter_call: {
    type: 'code_interpreter_call',
    id: 'i',
    code: 'mark',
    container_id: 'c',
    outputs: [],
    status: 'completed',
  },
  mcp_list_tools: { type: 'mcp_list_tools', id: 'i', server_label: 'mark', tools: [] },
  mcp_approval_request: {
    type: 'mcp_approval_request',
    id: 'i',
    name: 'mark',
    server_label: 'x',
    arguments: '{}',
  },
  mcp_approval_response: { type: 'mcp_approval_response', approval_request_id: 'i', approve: true },
  mcp_call: { type: 'mcp_call', id: 'i', name: 'mark', server_label: 'x', arguments: '{}', output: 'mark' },
  program: { type: 'program', id: 'i', call_id: 'c', code: 'mark', fingerprint: 'f' },
  program_output: { type: 'program_output', id: 'i', call_id: 'c', result: 'mark', status: 'completed' },
} satisfies { [Kind in ItemType]: Item & { readonly type?: Kind | null } }

/** A part of each kind that a message may hold; audio is taken from chats of clients that have one form for both. */
export const responsesParts = {
  input_text: { type: 'input_text', text: 'mark' },
  input_image: { type: 'input_image', image_url: 'https://mark', detail: 'auto' },
  input_file: { type: 'input_file', filename: 'mark.pdf', file_data: 'data:application/pdf;base64,bWFyaw==' },
  output_text: { type: 'output_text', text: 'mark', annotations: [] },
  refusal: { type: 'refusal', refusal: 'mark' },
} satisfies { [Kind in Content['type']]: Content & { readonly type: Kind } }
