import type { PathContext } from '../../../core/views'
import type { JsonObject } from '../../../core/json'
import type { NeutralCall } from '../../../core/neutral/call'
import { openAiChatCodec } from '../../openai-chat/codec'
import { readOllamaRequest } from '../request'
import { asChatBody, ownMembers } from './chat-body'

/** A client's chat request. @throws DialectError */
export function readCall(body: JsonObject, place: PathContext): NeutralCall {
  const { model, isStream } = readOllamaRequest(body, place)
  return {
    ...openAiChatCodec.readCall({ ...asChatBody(body), model }, place),
    isStream,
    own: { dialect: 'ollama-chat', members: ownMembers(body) },
  }
}
