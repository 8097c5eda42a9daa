import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { hasObjects } from '../../core/shared/reported-failure'
import type { UpstreamCodec } from '../../core/neutral/codec'
import { readAsNamedEvents } from '../openai-chat/chunk-form'
import { writeCall } from './call'
import { CozeEvents } from './events'

/** Bots of Coze; a response in one piece is an error. https://www.coze.cn/open/docs/developer_guides/chat_v3 */
export const cozeChatCodec: UpstreamCodec = {
  writeCall,
  ...readAsNamedEvents(
    () => {
      const events = new CozeEvents()
      return (event) => events.map(event)
    },
    (answer) => answer,
  ),
}

/** `POST /v3/chat`; only upstreams speak it. */
export const cozeChat: Dialect = chatDialect('coze-chat', cozeChatCodec, ({ events }) => hasObjects(events))
