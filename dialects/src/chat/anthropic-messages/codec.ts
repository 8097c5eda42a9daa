import type { ChatCodec } from '../../core/neutral/codec'
import { createReader, readAnswer } from './read/response'
import { readCall } from './read/call'
import { createWriter, eventText, writeAnswer } from './write/response'
import { writeCall } from './write/call'

/** Anthropic's Messages to and from the neutral form. */
export const anthropicMessagesCodec: ChatCodec = {
  rareWords: new Set(['strict-tools', 'citations', 'cited-documents', 'described-documents']),
  lacks: new Set(['image', 'sound', 'source']),
  readCall,
  writeCall,
  readAnswer,
  writeAnswer,
  createReader,
  createWriter,
  eventText,
}
