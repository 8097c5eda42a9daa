import { createHash } from 'node:crypto'

/** https://platform.openai.com/docs/api-reference/chat/create: longer ones are refused. */
const longestCallId = 40
const longestUser = 64

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The same id for a call and its result; a long one of another vendor becomes a short one. */
export const writeCallId = (id: string): string =>
  id.length <= longestCallId ? id : `call_${hashOf(id).slice(0, longestCallId - 'call_'.length)}`

export const writeUser = (user: string): string => (user.length <= longestUser ? user : hashOf(user))
