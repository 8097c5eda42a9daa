import { knownNames, leaves, type NameTree } from '../../core/shared/known-names'

/** https://docs.ollama.com/modelfile#valid-parameters-and-values */
const options: NameTree = {
  ...leaves('num_ctx', 'num_predict', 'num_keep', 'num_batch', 'num_gpu', 'main_gpu', 'num_thread', 'use_mmap'),
  ...leaves('seed', 'temperature', 'top_k', 'top_p', 'min_p', 'typical_p', 'stop', 'repeat_last_n'),
  ...leaves('repeat_penalty', 'presence_penalty', 'frequency_penalty', 'penalize_newline'),
  ...leaves('mirostat', 'mirostat_eta', 'mirostat_tau'),
}

export const commonNames: NameTree = {
  ...leaves('model', 'stream', 'format', 'think', 'keep_alive', 'template', 'logprobs', 'top_logprobs'),
  ...leaves('truncate', 'shift'),
  options,
}

export const ollamaChatNames = knownNames({
  ...commonNames,
  messages: {
    ...leaves('role', 'content', 'thinking', 'images', 'tool_name', 'tool_call_id'),
    tool_calls: { ...leaves('id', 'type'), function: leaves('index', 'name', 'description', 'arguments') },
  },
  tools: { ...leaves('type', 'items'), function: leaves('name', 'description', 'parameters') },
})
