import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { isObject } from '../../core/json'
import { zhipuChatCodec } from './codec'

/** `POST /api/paas/v3/model-api/{model}/invoke`; only upstreams speak it. */
export const zhipuChat: Dialect = chatDialect('zhipu-chat', zhipuChatCodec, ({ data }) => isObject(data))
