import type { ChatCodec } from '../../core/neutral/codec'
import { createReader, readAnswer } from './read/response'
import { readCall } from './read/call'
import { textOfEvent } from './errors'
import { createWriter, writeAnswer } from './write/response'
import { writeCall } from './write/call'

/** OpenAI's responses to and from the neutral form. */
export const openAiResponsesCodec: ChatCodec = {
  converts: new Set(['verbosity']),
  sealsThoughts: true,
  rareWords: new Set(['strict-tools', 'citations', 'described-documents']),
  lacks: new Set(['sound', 'source']),
  readCall,
  writeCall,
  readAnswer,
  writeAnswer,
  createReader,
  createWriter,
  eventText: textOfEvent,
  numberMember: 'sequence_number',
}
