import type { Cohere } from 'cohere-ai'

type Content = Cohere.Content['type']
type Role = Cohere.ChatMessageV2['role']

/** A tool of each kind: functions are all there is. */
export const cohereTools = {
  function: { type: 'function', function: { name: 'mark', parameters: {} } },
} satisfies Record<Cohere.ToolV2['type'], object>

/** A part of each kind that a message of a user may hold. */
export const cohereParts = {
  text: { type: 'text', text: 'mark' },
  image_url: { type: 'image_url', image_url: { url: 'https://mark' } },
} satisfies Record<Content, object>

/** A message of each role, with what only it may have. */
export const cohereMessages = {
  user: { role: 'user', content: 'mark' },
  system: { role: 'system', content: 'mark' },
  assistant: {
    role: 'assistant',
    tool_plan: 'mark',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  tool: { role: 'tool', tool_call_id: 'c', content: [{ type: 'document', document: { data: { text: 'mark' } } }] },
} satisfies Record<Role, object>

/** What only Cohere has: each is named wherever it does not go. */
export const cohereMembers = {
  documents: { documents: ['mark'] },
  citation_options: { citation_options: { mode: 'mark' } },
  safety_mode: { safety_mode: 'mark' },
  logprobs: { logprobs: true },
}
