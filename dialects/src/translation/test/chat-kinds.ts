import type OpenAI from 'openai'

type Chat = OpenAI.Chat.ChatCompletionTool
type Part = OpenAI.Chat.ChatCompletionContentPart
type Message = OpenAI.Chat.ChatCompletionMessageParam

/** A tool of each kind that the vendor publishes: a new kind does not compile until it stands here. */
export const chatTools = {
  function: { type: 'function', function: { name: 'mark' } },
  custom: { type: 'custom', custom: { name: 'mark' } },
} satisfies { [Kind in Chat['type']]: Chat & { readonly type: Kind } }

/** A part of each kind that a message may hold. */
export const chatParts = {
  text: { type: 'text', text: 'mark' },
  image_url: { type: 'image_url', image_url: { url: 'https://mark' } },
  input_audio: { type: 'input_audio', input_audio: { data: 'mark', format: 'wav' } },
  file: { type: 'file', file: { filename: 'mark.pdf', file_data: 'data:application/pdf;base64,bWFyaw==' } },
} satisfies { [Kind in Part['type']]: Part & { readonly type: Kind } }

/** A message of each role. */
export const chatMessages = {
  developer: { role: 'developer', content: 'mark' },
  system: { role: 'system', content: 'mark' },
  user: { role: 'user', content: 'mark' },
  assistant: {
    role: 'assistant',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'mark', arguments: '{}' } }],
  },
  tool: { role: 'tool', tool_call_id: 'c', content: 'mark' },
  function: { role: 'function', name: 'f', content: 'mark' },
} satisfies { [Role in Message['role']]: Message & { readonly role: Role } }
