import { foreignLeaves, knownNames, leaves, type KnownNames, type NameTree } from '../../core/shared/known-names'

const cacheControl = leaves('type', 'ttl')

const plainBlock: NameTree = {
  ...leaves('type', 'text', 'thinking', 'signature', 'data', 'id', 'name', 'input', 'tool_use_id', 'is_error'),
  ...leaves('file_id', 'citations', 'title', 'context', 'server_name', 'tool_name', 'toolset_name'),
  ...leaves('tabs', 'state_changes', 'error_code'),
  ...foreignLeaves('caller'),
  cache_control: cacheControl,
}

/** Blocks stand in the contents of blocks: results of tools hold texts and pictures, documents hold blocks of their own. */
const block = (below: NameTree | null): NameTree => ({
  ...plainBlock,
  content: below,
  source: { ...leaves('type', 'media_type', 'data', 'url', 'file_id'), content: below },
})

const blocks = block(block(block(null)))

export const messagesNames: KnownNames = knownNames({
  ...leaves(
    'model',
    'stream',
    'max_tokens',
    'temperature',
    'top_p',
    'top_k',
    'stop_sequences',
    'service_tier',
    'speed',
  ),
  ...leaves('container', 'context_management', 'mcp_servers', 'inference_geo', 'betas', 'thread', 'compaction'),
  ...leaves('fallbacks', 'fallback_credit_token', 'diagnostics', 'cache_control'),
  system: { ...leaves('type', 'text', 'citations'), cache_control: cacheControl },
  messages: {
    ...leaves('role', 'id'),
    ...foreignLeaves('clear_at'),
    output_config: leaves('effort', 'task_budget'),
    content: blocks,
  },
  tools: {
    ...leaves(
      'type',
      'name',
      'description',
      'input_schema',
      'max_uses',
      'allowed_domains',
      'blocked_domains',
      'strict',
    ),
    ...leaves(
      'user_location',
      'citations',
      'max_content_tokens',
      'defer_loading',
      'search_context_size',
      'allowed_callers',
      'input_examples',
    ),
    ...leaves(
      'configs',
      'display_width_px',
      'display_height_px',
      'display_number',
      'max_characters',
      'eager_input_streaming',
    ),
    cache_control: cacheControl,
  },
  tool_choice: leaves('type', 'name', 'disable_parallel_tool_use'),
  thinking: leaves('type', 'budget_tokens', 'display'),
  metadata: leaves('user_id'),
  output_config: { ...leaves('effort', 'task_budget'), format: leaves('type', 'schema', 'name') },
  output_format: leaves('type', 'schema', 'name'),
})
