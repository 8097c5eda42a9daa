import type { ChatCodec } from '../../core/neutral/codec'
import { readAsChunks } from '../openai-chat/chunk-form'
import { readCall } from './read/call'
import { createMapper } from './read/response'
import { writeCall } from './write/call'
import { eventText, inMessage, wholeOf, writerOf } from './write/response'

/** Ollama's `POST /api/chat`, whose stream has one JSON object a line. https://docs.ollama.com/api/chat */
export const ollamaChatCodec: ChatCodec = {
  converts: new Set(['num_ctx']),
  lacks: new Set(['redacted-thinking', 'signature', 'search', 'sound', 'citation']),
  readCall,
  writeCall,
  ...readAsChunks(createMapper),
  writeAnswer: wholeOf(inMessage),
  createWriter: writerOf(inMessage),
  eventText,
}
