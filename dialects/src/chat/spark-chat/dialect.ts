import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { isObject } from '../../core/json'
import type { UpstreamCodec } from '../../core/neutral/codec'
import { readAsChunks } from '../openai-chat/chunk-form'
import { mapFrame } from './read/response'
import { writeCall } from './write/call'

/** iFlytek's Spark over a WebSocket; functions are those of older accounts. https://www.xfyun.cn/doc/spark/Web.html */
export const sparkChatCodec: UpstreamCodec = { writeCall, ...readAsChunks(() => mapFrame) }

/** The messages of `wss://spark-api.xf-yun.com/v3.5/chat` as events, or all as one; only upstreams speak it. */
export const sparkChat: Dialect = chatDialect('spark-chat', sparkChatCodec, ({ payload }) => isObject(payload))
