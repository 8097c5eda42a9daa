import type { PromptShape } from '../dialect'
import type { JsonObject } from '../json'
import { chatPrompt } from '../shared/prompt'
import { asChatBody } from './read/chat-body'

export const ollamaPrompt = (body: JsonObject): PromptShape => chatPrompt(asChatBody(body))
