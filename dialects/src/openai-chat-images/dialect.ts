import type { Dialect } from '../dialect'
import { imageDialect } from '../dialect-from-codec'
import { chatPrompt } from '../shared/prompt'
import { openAiChatImagesCodec } from './codec'

/** `POST /v1/chat/completions` of models that draw, as the upstream of calls for images. */
export const openAiChatImages: Dialect = imageDialect('openai-chat-images', openAiChatImagesCodec, chatPrompt)
