import type { ChatCodec } from '../../core/neutral/codec'
import { createReader, readAnswer } from './read/response'
import { readCall } from './read/call'
import { createWriter, eventText, writeAnswer } from './write/response'
import { writeCall } from './write/call'

/** https://ai.google.dev/api/caching#FunctionDeclaration */
const toolNames = { maxLength: 64, allowed: /^[A-Za-z_][A-Za-z0-9_.:-]*$/, refused: /[^A-Za-z0-9_.:-]/gu }

/** Gemini's contents to and from the neutral form. */
export const geminiCodec: ChatCodec = {
  toolNames,
  converts: new Set(['extra_body', 'image_config']),
  sealsThoughts: true,
  lacks: new Set(['source']),
  readCall,
  writeCall,
  readAnswer,
  writeAnswer,
  createReader,
  createWriter,
  eventText,
}
