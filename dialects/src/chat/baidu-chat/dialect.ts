import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { isObject, type JsonObject } from '../../core/json'
import { baiduChatCodec } from './codec'

/** A text, be it empty, or a call. */
const isAnswer = ({ result, function_call }: JsonObject): boolean =>
  typeof result === 'string' || isObject(function_call)

/** `POST /rpc/2.0/ai_custom/v1/wenxinworkshop/chat/{model}`; only upstreams speak it. */
export const baiduChat: Dialect = chatDialect('baidu-chat', baiduChatCodec, isAnswer)
