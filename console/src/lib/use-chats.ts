import { useSite } from './status'

export interface ChatEntry {
  readonly name: string
  readonly index: number
}

/** The chat pages the operator linked: each entry is one name with its address. */
export function useChats(): readonly ChatEntry[] {
  return useSite().chats.flatMap((entry, index) => {
    const name = Object.keys(entry)[0]
    return name ? [{ name, index }] : []
  })
}
