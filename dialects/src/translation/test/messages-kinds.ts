import type Anthropic from '@anthropic-ai/sdk'

type Tool = Anthropic.Beta.BetaToolUnion
type ToolType = NonNullable<Tool['type']>
type Block = Anthropic.Beta.BetaContentBlockParam

/** A tool of each kind that the vendor publishes: a new kind does not compile until it stands here. */
export const messagesTools = {
  custom: { type: 'custom', name: 'mark', input_schema: { type: 'object' } },
  bash_20241022: { type: 'bash_20241022', name: 'bash' },
  bash_20250124: { type: 'bash_20250124', name: 'bash' },
  text_editor_20241022: { type: 'text_editor_20241022', name: 'str_replace_editor' },
  text_editor_20250124: { type: 'text_editor_20250124', name: 'str_replace_editor' },
  text_editor_20250429: { type: 'text_editor_20250429', name: 'str_replace_based_edit_tool' },
  text_editor_20250728: { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
  memory_20250818: { type: 'memory_20250818', name: 'memory' },
  computer_20241022: { type: 'computer_20241022', name: 'computer', display_height_px: 1, display_width_px: 1 },
  computer_20250124: { type: 'computer_20250124', name: 'computer', display_height_px: 1, display_width_px: 1 },
  computer_20251124: { type: 'computer_20251124', name: 'computer', display_height_px: 1, display_width_px: 1 },
  computer_toolset_20260801: { type: 'computer_toolset_20260801' },
  browser_toolset_20260801: { type: 'browser_toolset_20260801' },
} satisfies { [Kind in Exclude<ToolType, HostedTool>]: Tool & { readonly type?: Kind | null } }

const hosted = [
  'code_execution_20250522',
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
  'web_search_20250305',
  'web_search_20260209',
  'web_search_20260318',
  'web_fetch_20250910',
  'web_fetch_20260209',
  'web_fetch_20260309',
  'web_fetch_20260318',
  'advisor_20260301',
  'tool_search_tool_bm25_20251119',
  'tool_search_tool_bm25',
  'tool_search_tool_regex_20251119',
  'tool_search_tool_regex',
  'mcp_toolset',
] as const satisfies readonly ToolType[]
type HostedTool = (typeof hosted)[number]

/** Tools that say nothing but what they are. */
export const messagesHostedTools = hosted.map((type) => ({ type, name: 'mark' }))

const text = { type: 'text', text: 'mark' } as const

/** A block of each kind that a conversation may hold. */
export const messagesBlocks = {
  text,
  image: { type: 'image', source: { type: 'url', url: 'https://mark' } },
  document: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'mark' } },
  search_result: { type: 'search_result', title: 'mark', source: 'https://x', content: [text] },
  thinking: { type: 'thinking', thinking: 'mark', signature: 'c2ln' },
  redacted_thinking: { type: 'redacted_thinking', data: 'c2ln' },
  tool_use: { type: 'tool_use', id: 'c', name: 'mark', input: {} },
  tool_result: { type: 'tool_result', tool_use_id: 'c', content: [text] },
  server_tool_use: { type: 'server_tool_use', id: 'c', name: 'web_search', input: { query: 'mark' } },
  web_search_tool_result: { type: 'web_search_tool_result', tool_use_id: 'c', content: [] },
  web_fetch_tool_result: {
    type: 'web_fetch_tool_result',
    tool_use_id: 'c',
    content: { type: 'web_fetch_tool_result_error', error_code: 'unavailable' },
  },
  advisor_tool_result: {
    type: 'advisor_tool_result',
    tool_use_id: 'c',
    content: { type: 'advisor_tool_result_error', error_code: 'unavailable' },
  },
  code_execution_tool_result: {
    type: 'code_execution_tool_result',
    tool_use_id: 'c',
    content: { type: 'code_execution_tool_result_error', error_code: 'unavailable' },
  },
  bash_code_execution_tool_result: {
    type: 'bash_code_execution_tool_result',
    tool_use_id: 'c',
    content: { type: 'bash_code_execution_tool_result_error', error_code: 'unavailable' },
  },
  text_editor_code_execution_tool_result: {
    type: 'text_editor_code_execution_tool_result',
    tool_use_id: 'c',
    content: { type: 'text_editor_code_execution_tool_result_error', error_code: 'unavailable' },
  },
  tool_search_tool_result: {
    type: 'tool_search_tool_result',
    tool_use_id: 'c',
    content: { type: 'tool_search_tool_search_result', tool_references: [] },
  },
  mcp_tool_use: { type: 'mcp_tool_use', id: 'c', name: 'mark', server_name: 'x', input: {} },
  mcp_tool_result: { type: 'mcp_tool_result', tool_use_id: 'c', content: 'mark' },
  container_upload: { type: 'container_upload', file_id: 'mark' },
  compaction: { type: 'compaction', content: 'mark' },
} satisfies { [Kind in Exclude<Block['type'], PlainBlock>]: Block & { readonly type: Kind } }

const plain = [
  'tool_addition',
  'tool_removal',
  'mcp_tool_listing',
  'fallback',
] as const satisfies readonly Block['type'][]
type PlainBlock = (typeof plain)[number]

/** Blocks that hold nothing to be found in another dialect. */
export const messagesPlainBlocks = plain.map((type) => ({ type }))
