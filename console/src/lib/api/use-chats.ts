import * as z from 'zod'

import { useSite } from './status'

export interface ChatEntry {
  readonly name: string
  readonly index: number
}

const Chats = z.array(z.record(z.string(), z.string()))

/** Whether the operator's chat pages are a list of names and addresses; a proxy or an older server may send something else. */
export const areChatsReadable = (chats: unknown): boolean => Chats.safeParse(chats).success

/** Returns the operator's chat pages: each entry is one name with its address. */
export function useChats(): readonly ChatEntry[] {
  const { chats } = useSite()
  if (!areChatsReadable(chats)) return []
  return chats.flatMap((entry, index) => {
    const name = Object.keys(entry)[0]
    return name ? [{ name, index }] : []
  })
}
