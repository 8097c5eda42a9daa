import type { ChatCodec } from '../../core/neutral/codec'
import { readCall } from './read/call'
import { createReader, readAnswer } from './read/response'
import { writeCall } from './write/call'
import { createWriter, eventText, writeAnswer } from './write/response'

/** Cohere's second chat API. */
export const cohereChatCodec: ChatCodec = {
  rareWords: new Set(['strict-tools']),
  lacks: new Set(['redacted-thinking', 'signature', 'search', 'image', 'sound']),
  readCall,
  writeCall,
  readAnswer,
  writeAnswer,
  createReader,
  createWriter,
  eventText,
}
