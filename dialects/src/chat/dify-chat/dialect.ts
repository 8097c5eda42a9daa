import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { isObject } from '../../core/json'
import { hasObjects } from '../../core/shared/reported-failure'
import { difyChatCodec } from './codec'

/** `POST /v1/chat-messages`, `/v1/completion-messages` and `/v1/workflows/run`; only upstreams speak it. */
export const difyChat: Dialect = chatDialect(
  'dify-chat',
  difyChatCodec,
  ({ events, answer, data }) => hasObjects(events) || typeof answer === 'string' || isObject(data),
)
