import type { ChatRequest, Message, Tool } from 'ollama'

/** A tool of each kind: functions are all there is. */
export const ollamaTools = {
  function: { type: 'function', function: { name: 'mark', parameters: { type: 'object' } } },
} satisfies Record<string, Tool>

/** A message of each role, and one with each member that a message may have. */
export const ollamaMessages = {
  system: { role: 'system', content: 'mark' },
  user: { role: 'user', content: 'mark' },
  images: { role: 'user', content: '', images: ['mark'] },
  assistant: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'mark', arguments: {} } }] },
  thinking: { role: 'assistant', content: 'x', thinking: 'mark' },
  tool: { role: 'tool', content: 'mark', tool_name: 'f' },
} satisfies Record<string, Message>

/** What only Ollama's servers have: each is named wherever it does not go. */
export const ollamaMembers = {
  keep_alive: { keep_alive: 'mark' },
  num_ctx: { options: { num_ctx: 9 } },
  mirostat: { options: { mirostat: 1 } },
} satisfies Record<string, Partial<ChatRequest>>
