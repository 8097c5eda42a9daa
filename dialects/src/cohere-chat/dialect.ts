import type { Dialect } from '../dialect'
import { chatDialect } from '../dialect-from-codec'
import { isObject } from '../json'
import { cohereChatCodec } from './codec'

/** `POST /v2/chat`; only upstreams speak it. */
export const cohereChat: Dialect = chatDialect('cohere-chat', cohereChatCodec, ({ message }) => isObject(message))
