import type { PromptShape } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { chatPrompt } from '../../core/shared/prompt'
import { asChatBody } from './read/call'

export const ollamaPrompt = (body: JsonObject): PromptShape => chatPrompt(asChatBody(body))
