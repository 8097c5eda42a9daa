import type { Dialect } from '../dialect'
import { chatDialect } from '../dialect-from-codec'
import { isObject } from '../json'
import { zhipuChatCodec } from './codec'

/** `POST /api/paas/v3/model-api/{model}/invoke`; only upstreams speak it. */
export const zhipuChat: Dialect = chatDialect('zhipu-chat', zhipuChatCodec, ({ data }) => isObject(data))
