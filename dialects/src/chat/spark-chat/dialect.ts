import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { isObject } from '../../core/json'
import { sparkChatCodec } from './codec'

/** The messages of `wss://spark-api.xf-yun.com/v3.5/chat` as events, or all as one; only upstreams speak it. */
export const sparkChat: Dialect = chatDialect('spark-chat', sparkChatCodec, ({ payload }) => isObject(payload))
