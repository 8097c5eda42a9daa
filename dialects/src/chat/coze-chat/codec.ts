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
