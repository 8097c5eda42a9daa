import type { UpstreamCodec } from '../../core/neutral/codec'
import { readAsChunks } from '../openai-chat/chunk-form'
import { mapFrame } from './read/response'
import { writeCall } from './write/call'

/** iFlytek's Spark over a WebSocket; functions are those of older accounts. https://www.xfyun.cn/doc/spark/Web.html */
export const sparkChatCodec: UpstreamCodec = { writeCall, ...readAsChunks(() => mapFrame) }
