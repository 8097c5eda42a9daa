import { knownNames, leaves, type NameTree } from '../../core/shared/known-names'

export const samplingNames: NameTree = {
  ...leaves('model', 'stream', 'temperature', 'max_tokens', 'seed', 'k', 'p', 'stop_sequences', 'presence_penalty'),
  ...leaves('frequency_penalty', 'safety_mode', 'documents', 'logprobs', 'priority', 'raw_prompting'),
}

const part: NameTree = {
  ...leaves('type', 'text', 'thinking', 'refusal', 'cache_control', 'prompt_cache_breakpoint'),
  image_url: leaves('url', 'detail'),
  document: leaves('id', 'data'),
}

export const cohereChatNames = knownNames({
  ...samplingNames,
  ...leaves('strict_tools', 'tool_choice'),
  messages: {
    ...leaves('role', 'tool_call_id', 'tool_plan', 'citations'),
    content: part,
    tool_calls: { ...leaves('id', 'type', 'extra_content'), function: leaves('name', 'arguments') },
  },
  tools: { ...leaves('type'), function: leaves('name', 'description', 'parameters') },
  citation_options: leaves('mode'),
  response_format: leaves('type', 'json_schema', 'schema'),
  thinking: leaves('type', 'token_budget'),
})
