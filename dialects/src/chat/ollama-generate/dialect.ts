import type { Dialect } from '../../core/dialect'
import { answerReader } from '../../core/dialect-from-codec'
import { ollamaChat } from '../ollama-chat/dialect'
import { commonNames } from '../ollama-chat/known-names'
import { cutLine } from '../ollama-chat/observe'
import { knownNames, leaves } from '../../core/shared/known-names'
import { CodecObserver } from '../../core/streaming/accumulator'
import { PassingTap } from '../../core/streaming/passing-tap'
import { generatePrompt, readGenerateRequest, withSystem, asChatRequest, unsaidIn } from './request'
import type { PathContext } from '../../core/views'
import type { JsonObject } from '../../core/json'
import type { ClientCodec, UpstreamCodec } from '../../core/neutral/codec'
import { omitUndefined } from '../../core/neutral/read'
import { readCall } from '../ollama-chat/read/call'
import { createMapper } from '../ollama-chat/read/response'
import type { PieceForm } from '../ollama-chat/write/lines'
import { eventText, wholeOf, writerOf } from '../ollama-chat/write/response'
import { readAsChunks, type MapEvent } from '../openai-chat/chunk-form'

/** https://docs.ollama.com/api/generate */
const atTopLevel: PieceForm = ({ content = '', images, ...rest }) =>
  omitUndefined({ response: content, ...rest, image: images?.[0] })

/** Ollama's `POST /api/generate`: one prompt, one answer. Only Ollama's own servers are called by it. */
export const ollamaGenerateCodec: ClientCodec & Omit<UpstreamCodec, 'writeCall'> = {
  readCall(body: JsonObject, place: PathContext) {
    readGenerateRequest(body, place)
    const call = readCall(asChatRequest(body), place)
    return { ...call, leftOut: [...(call.leftOut ?? []), ...unsaidIn(body)] }
  },
  ...readAsChunks(createGenerateMapper),
  writeAnswer: wholeOf(atTopLevel),
  createWriter: writerOf(atTopLevel),
  eventText,
}

function createGenerateMapper(): MapEvent {
  const map = createMapper()
  return ({ response, thinking, tool_calls, ...rest }) =>
    map(
      response === undefined ? rest : { ...rest, message: omitUndefined({ content: response, thinking, tool_calls }) },
    )
}

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
  createTap: () => new PassingTap(new CodecObserver(ollamaGenerateCodec.createReader(), cutLine(atTopLevel))),
}
