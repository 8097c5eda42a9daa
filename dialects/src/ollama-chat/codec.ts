import type { UpstreamCodec } from '../neutral/codec'
import { readAsChunks } from '../openai-chat/chunk-form'
import { createMapper } from './response'
import { writeCall } from './call'

/** Ollama's `POST /api/chat`, whose stream has one JSON object a line. https://docs.ollama.com/api/chat */
export const ollamaChatCodec: UpstreamCodec = { writeCall, ...readAsChunks(createMapper) }
