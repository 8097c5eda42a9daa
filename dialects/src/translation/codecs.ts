import { anthropicMessagesCodec } from '../anthropic-messages/codec/codec'
import { geminiCodec } from '../gemini/codec/codec'
import { openAiChatCodec } from '../openai-chat/codec/codec'
import { openAiResponsesCodec } from '../openai-responses/codec/codec'
import type { DialectId } from '../mode'
import type { ChatCodec, UpstreamCodec } from '../neutral/codec'

/** The dialects that clients and upstreams chat in. */
export const chatCodecs: Partial<Record<DialectId, ChatCodec>> = {
  'anthropic-messages': anthropicMessagesCodec,
  gemini: geminiCodec,
  'openai-chat': openAiChatCodec,
  'openai-responses': openAiResponsesCodec,
}

/** The dialects that only upstreams chat in. */
export const upstreamCodecs: Partial<Record<DialectId, UpstreamCodec>> = {}
