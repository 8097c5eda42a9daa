import type { Dialect } from '../dialect'
import { chatDialect } from '../dialect-from-codec'
import { isObject } from '../json'
import { hasObjects } from '../shared/reported-failure'
import { difyChatCodec } from './codec'

/** `POST /v1/chat-messages`, `/v1/completion-messages` and `/v1/workflows/run`; only upstreams speak it. */
export const difyChat: Dialect = chatDialect(
  'dify-chat',
  difyChatCodec,
  ({ events, answer, data }) => hasObjects(events) || typeof answer === 'string' || isObject(data),
)
