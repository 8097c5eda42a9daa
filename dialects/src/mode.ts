/** What kind of work a call asks for. */
export type Mode = 'chat' | 'completions' | 'embeddings' | 'images' | 'moderation' | 'rerank'

/** A wire format of an AI API. */
export type DialectId =
  | 'aiproxy-library'
  | 'anthropic-messages'
  | 'baidu-chat'
  | 'cohere-chat'
  | 'cohere-embeddings'
  | 'gemini'
  | 'gemini-embeddings'
  | 'ollama-embeddings'
  | 'openai-chat'
  | 'openai-completions'
  | 'openai-embeddings'
  | 'openai-images'
  | 'openai-moderations'
  | 'openai-responses'
  | 'palm-chat'
  | 'rerank'
  | 'zhipu-chat'
