import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { hasObjects } from '../../core/shared/reported-failure'
import { cozeChatCodec } from './codec'

/** `POST /v3/chat`; only upstreams speak it. */
export const cozeChat: Dialect = chatDialect('coze-chat', cozeChatCodec, ({ events }) => hasObjects(events))
