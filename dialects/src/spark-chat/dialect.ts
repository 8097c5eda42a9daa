import type { Dialect } from '../dialect'
import { chatDialect } from '../dialect-from-codec'
import { isObject } from '../json'
import { sparkChatCodec } from './codec'

/** The messages of `wss://spark-api.xf-yun.com/v3.5/chat` as events, or all as one; only upstreams speak it. */
export const sparkChat: Dialect = chatDialect('spark-chat', sparkChatCodec, ({ payload }) => isObject(payload))
