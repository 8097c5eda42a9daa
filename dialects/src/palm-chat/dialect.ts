import type { Dialect } from '../dialect'
import { chatDialect } from '../dialect-from-codec'
import { readError } from '../gemini/errors'
import { palmChatCodec } from './codec'

/** `POST /v1beta2/models/chat-bison-001:generateMessage`; only upstreams speak it. */
export const palmChat: Dialect = { ...chatDialect('palm-chat', palmChatCodec), readError }
