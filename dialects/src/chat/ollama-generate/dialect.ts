import type { Dialect } from '../../core/dialect'
import { answerReader } from '../../core/dialect-from-codec'
import { ollamaChat } from '../ollama-chat/dialect'
import { commonNames } from '../ollama-chat/known-names'
import { cutLine } from '../ollama-chat/observe'
import { knownNames, leaves } from '../../core/shared/known-names'
import { CodecObserver } from '../../core/streaming/codec-observer'
import { PassingTap } from '../../core/streaming/passing-tap'
import { besideOthers, ollamaGenerateCodec } from './codec'
import { generatePrompt, readGenerateRequest, withSystem } from './request'

/** `POST /api/generate`. */
export const ollamaGenerate: Dialect = {
  ...ollamaChat,
  id: 'ollama-generate',
  codec: { kind: 'chat', client: ollamaGenerateCodec },
  readAnswer: answerReader(ollamaGenerateCodec, ({ response }) => typeof response === 'string'),
  names: knownNames({
    ...commonNames,
    ...leaves('prompt', 'suffix', 'images', 'system', 'context', 'raw', 'width', 'height', 'steps'),
  }),
  readRequest: readGenerateRequest,
  readPrompt: generatePrompt,
  withSystemPrompt: withSystem,
  createTap: () => new PassingTap(new CodecObserver(ollamaGenerateCodec.createReader(), cutLine(besideOthers))),
}
