/** What kind of work a call asks for. */
export type Mode = 'chat' | 'completions' | 'embeddings' | 'moderation'

/** A wire format of an AI API. */
export type DialectId =
  | 'anthropic-messages'
  | 'gemini'
  | 'openai-chat'
  | 'openai-completions'
  | 'openai-embeddings'
  | 'openai-moderations'
  | 'openai-responses'
