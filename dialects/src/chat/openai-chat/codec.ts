import type { ChatCodec } from '../../core/neutral/codec'
import { createReader, readAnswer } from './read/response'
import { readCall } from './read/call'
import { createWriter, eventText, writeAnswer } from './write/response'
import { writeCall } from './write/call'

/** OpenAI's chat completions to and from the neutral form. */
export const openAiChatCodec: ChatCodec = {
  rareWords: new Set(['names', 'strict-tools', 'described-documents']),
  lacks: new Set(['search', 'source']),
  readCall,
  writeCall,
  readAnswer,
  writeAnswer,
  createReader,
  createWriter,
  eventText,
}
