import { createHash } from 'node:crypto'

/** https://platform.openai.com/docs/api-reference/chat/create: longer ones are refused. */
const maxCallIdLength = 40
const maxUserLength = 64

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The same id for a call and its result; a long one of another vendor becomes a short one. */
export const writeCallId = (id: string): string =>
  id.length <= maxCallIdLength ? id : `call_${hashOf(id).slice(0, maxCallIdLength - 'call_'.length)}`

export const writeUser = (user: string): string => (user.length <= maxUserLength ? user : hashOf(user))
