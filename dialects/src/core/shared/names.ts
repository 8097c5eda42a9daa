import { foreignLeaves, knownNames, leaves, type NameTree } from './known-names'

const fileMembers = leaves('file_data', 'file_id', 'file_url', 'filename', 'url', 'format', 'detail')

/** A part of a message's content. */
const part: NameTree = {
  ...leaves('type', 'text', 'refusal', 'detail', 'image', 'audio', 'video', 'thinking', 'signature'),
  ...leaves('cache_control', 'prompt_cache_breakpoint', 'filename', 'file_data', 'file_url', 'file_id'),
  image_url: leaves('url', 'detail'),
  input_audio: leaves('data', 'format'),
  audio_url: leaves('url'),
  video_url: leaves('url'),
  file: fileMembers,
}

const called = leaves('name', 'arguments')
const cacheControl = leaves('type', 'ttl')
const breakpoint = leaves('mode')
const describedFunction = leaves('name', 'description', 'parameters', 'strict')

const message: NameTree = {
  ...leaves('role', 'name', 'refusal', 'tool_call_id', 'reasoning_content', 'reasoning'),
  ...foreignLeaves('prefix', 'partial'),
  content: { ...part, cache_control: cacheControl, prompt_cache_breakpoint: breakpoint },
  tool_calls: { ...leaves('id', 'type', 'index', 'extra_content'), function: called, custom: leaves('name', 'input') },
  function_call: called,
  audio: leaves('id'),
  cache_control: cacheControl,
  prompt_cache_breakpoint: breakpoint,
  reasoning_details: leaves('type', 'text', 'summary', 'signature', 'data', 'format', 'id', 'index'),
  thinking_blocks: leaves('type', 'thinking', 'signature', 'data'),
}

/** What requests for texts have in common. */
const sampling = leaves(
  'model',
  'stream',
  'n',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'stop',
  'seed',
  'user',
  'logit_bias',
  'logprobs',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
)

const streamOptions = leaves('include_usage', 'include_obfuscation')

export const chatNames = knownNames({
  ...sampling,
  ...leaves(
    'max_completion_tokens',
    'top_logprobs',
    'parallel_tool_calls',
    'reasoning_effort',
    'service_tier',
    'modalities',
    'store',
    'metadata',
    'verbosity',
    'prediction',
    'prompt_cache_key',
    'prompt_cache_options',
    'prompt_cache_retention',
    'moderation',
    'safety_identifier',
    'enable_thinking',
    'num_ctx',
    'think',
    'keep_alive',
    'options',
    'format',
    'thinking_budget',
    'chat_template_kwargs',
    'extra_body',
    'image_config',
  ),
  messages: message,
  tools: {
    ...leaves('type'),
    function: describedFunction,
    custom: leaves('name', 'description', 'format'),
    cache_control: cacheControl,
    prompt_cache_breakpoint: breakpoint,
  },
  functions: describedFunction,
  tool_choice: {
    ...leaves('type', 'mode', 'tools'),
    function: leaves('name'),
    custom: leaves('name'),
    allowed_tools: leaves('mode', 'tools'),
  },
  function_call: leaves('name'),
  response_format: { ...leaves('type'), json_schema: leaves('name', 'description', 'schema', 'strict') },
  stream_options: streamOptions,
  audio: leaves('voice', 'format'),
  reasoning: leaves('effort', 'max_tokens', 'exclude', 'enabled', 'summary'),
  thinking: leaves('type', 'budget_tokens'),
  web_search_options: leaves('search_context_size', 'user_location', 'filters'),
  search_parameters: { ...leaves('mode'), sources: leaves('allowed_websites') },
})

export const completionNames = knownNames({
  ...sampling,
  ...leaves('prompt', 'suffix', 'echo', 'best_of'),
  stream_options: streamOptions,
})

export const fimNames = knownNames({
  ...sampling,
  ...leaves('prompt', 'suffix', 'best_of', 'random_seed', 'min_tokens', 'metadata', 'prompt_cache_key'),
  stream_options: streamOptions,
})

export const ocrNames = knownNames({
  ...leaves('model', 'pages', 'image_limit', 'image_min_size', 'include_image_base64', 'include_blocks'),
  ...leaves('bbox_annotation_format', 'document_annotation_format', 'document_annotation_prompt'),
  ...leaves('table_format', 'extract_header', 'extract_footer', 'confidence_scores_granularity'),
  document: { ...leaves('type', 'document_url', 'document_name', 'file_id'), image_url: leaves('url', 'detail') },
})

export const embeddingNames = knownNames(
  leaves('model', 'dimensions', 'encoding_format', 'user', 'input_type', 'task', 'input'),
)

const image = leaves('image_url', 'file_id', 'b64_json')

export const imageNames = knownNames({
  ...leaves('batch_size', 'num_images', 'num_images_per_prompt', 'num_outputs', 'number_results', 'samples'),
  ...leaves('model', 'prompt', 'n', 'size', 'quality', 'style', 'background', 'moderation', 'response_format', 'user'),
  ...leaves(
    'output_format',
    'output_compression',
    'stream',
    'partial_images',
    'input_fidelity',
    'aspect_ratio',
    'image_size',
    'seed',
    'negative_prompt',
    'sequential_image_generation',
  ),
  ...leaves('complexity', 'frame_count', 'frame_duration_ms', 'markup', 'svg', 'safety_identifier'),
  sequential_image_generation_options: leaves('max_images'),
  ...leaves('image', 'image[]'),
  images: image,
  mask: image,
})

export const moderationNames = knownNames({ ...leaves('model'), input: part })

export const rerankNames = knownNames({
  // A structured document has the members that its author chose.
  ...leaves('model', 'query', 'documents', 'top_n', 'top_k', 'return_documents'),
  ...leaves('max_chunks_per_doc', 'max_tokens_per_doc', 'rank_fields', 'truncation'),
})

export const speechNames = knownNames({
  ...leaves('model', 'input', 'instructions', 'response_format', 'speed', 'stream_format'),
  voice: leaves('id'),
})

export const transcriptionNames = knownNames({
  ...leaves('model', 'file', 'prompt', 'language', 'response_format', 'temperature', 'stream', 'hotwords'),
  ...leaves('include[]', 'timestamp_granularities[]', 'known_speaker_names[]', 'known_speaker_references[]'),
  ...leaves('include', 'timestamp_granularities', 'chunking_strategy'),
})

/** A part of what an item of the Responses API holds. */
const itemPart: NameTree = {
  ...leaves('type', 'text', 'refusal', 'image_url', 'file_id', 'file_data', 'file_url', 'filename', 'detail'),
  ...leaves('annotations', 'logprobs'),
  cache_control: cacheControl,
  prompt_cache_breakpoint: breakpoint,
  input_audio: leaves('data', 'format'),
}

const reasoningSettings = leaves('effort', 'summary', 'generate_summary')
const textSettings = {
  ...leaves('verbosity'),
  format: leaves('type', 'name', 'description', 'schema', 'strict'),
}

const item: NameTree = {
  ...leaves('type', 'role', 'id', 'status', 'phase', 'name', 'namespace', 'arguments', 'input', 'code', 'result'),
  ...leaves('call_id', 'encrypted_content', 'container_id', 'server_label', 'queries', 'results', 'error', 'action'),
  ...leaves('approval_request_id', 'approve', 'reason', 'tools', 'operation', 'acknowledged_safety_checks'),
  ...leaves('environment', 'execution', 'fingerprint', 'max_output_length', 'caller', 'created_by'),
  // A text, or settings from here on.
  text: textSettings,
  reasoning: reasoningSettings,
  content: itemPart,
  summary: itemPart,
  output: { ...itemPart, ...leaves('stdout', 'stderr', 'outcome', 'created_by') },
}

export const responsesNames = knownNames({
  ...leaves(
    'model',
    'stream',
    'instructions',
    'max_output_tokens',
    'max_tool_calls',
    'temperature',
    'top_p',
    'top_logprobs',
    'presence_penalty',
    'frequency_penalty',
  ),
  ...leaves(
    'background',
    'store',
    'metadata',
    'include',
    'parallel_tool_calls',
    'previous_response_id',
    'service_tier',
  ),
  ...leaves('truncation', 'user', 'safety_identifier', 'conversation'),
  ...leaves('prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'moderation'),
  ...leaves('context_management'),
  input: item,
  prompt: leaves('id', 'version', 'variables'),
  reasoning: reasoningSettings,
  text: textSettings,
  tools: {
    ...leaves(
      'type',
      'name',
      'description',
      'parameters',
      'strict',
      'format',
      'vector_store_ids',
      'max_num_results',
      'max_uses',
    ),
    ...leaves(
      'filters',
      'ranking_options',
      'search_context_size',
      'user_location',
      'container',
      'server_label',
      'tools',
    ),
    ...leaves('server_url', 'allowed_tools', 'require_approval', 'headers', 'authorization', 'connector_id'),
    ...leaves('model', 'quality', 'size', 'background', 'partial_images', 'display_width', 'display_height'),
    ...leaves('environment', 'execution', 'input_schema'),
  },
  tool_choice: leaves('type', 'name', 'namespace', 'mode', 'tools', 'server_label'),
  stream_options: streamOptions,
})
