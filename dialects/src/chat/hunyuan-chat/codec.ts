import type { UpstreamCodec } from '../../core/neutral/codec'
import { readAsChunks } from '../openai-chat/chunk-form'
import { mapAnswer } from './read/response'
import { writeCall } from './write/call'

/** Tencent Cloud's own chat API. https://cloud.tencent.com/document/api/1729/105701 */
export const hunyuanChatCodec: UpstreamCodec = { writeCall, ...readAsChunks(() => mapAnswer) }
