import type { Dialect } from '../dialect'
import { chatDialect } from '../dialect-from-codec'
import { hasObjects } from '../shared/reported-failure'
import { cozeChatCodec } from './codec'

/** `POST /v3/chat`; only upstreams speak it. */
export const cozeChat: Dialect = chatDialect('coze-chat', cozeChatCodec, ({ events }) => hasObjects(events))
