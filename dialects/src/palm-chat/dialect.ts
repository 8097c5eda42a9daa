import type { Dialect } from '../dialect'
import { chatDialect } from '../dialect-from-codec'
import type { JsonObject } from '../json'
import { hasObjects } from '../shared/reported-failure'
import { readError } from '../gemini/errors'
import { palmChatCodec } from './codec'

/** Candidates, or why there are none. */
const isAnswer = ({ candidates, filters }: JsonObject): boolean => hasObjects(candidates) || hasObjects(filters)

/** `POST /v1beta2/models/chat-bison-001:generateMessage`; only upstreams speak it. */
export const palmChat: Dialect = { ...chatDialect('palm-chat', palmChatCodec, isAnswer), readError }
