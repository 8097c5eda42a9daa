import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import type { JsonObject } from '../../core/json'
import { hasObjects } from '../../core/shared/reported-failure'
import { readError } from '../gemini/errors'
import { palmChatCodec } from './codec'

/** Candidates, or why there are none. */
const isAnswer = ({ candidates, filters }: JsonObject): boolean => hasObjects(candidates) || hasObjects(filters)

/** `POST /v1beta2/models/chat-bison-001:generateMessage`; only upstreams speak it. */
export const palmChat: Dialect = { ...chatDialect('palm-chat', palmChatCodec, isAnswer), readError }
