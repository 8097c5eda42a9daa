import * as z from 'zod'

const key = 'telegram-flow'
const Flow = z.object({ id: z.string(), returnTo: z.string().optional() })

/**
 * Remembers in this tab that a Telegram sign-in was started. Returns the id that comes back in the address: without it, a link from another
 * person could sign a visitor in to that person's account.
 */
export function beginTelegram(returnTo: string | undefined): string {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  sessionStorage.setItem(key, JSON.stringify({ id, returnTo }))
  return id
}

/** Returns what was started here under this id, once; null where nothing was. */
export function takeTelegram(id: string | undefined): { readonly returnTo?: string | undefined } | null {
  const text = sessionStorage.getItem(key)
  if (text === null) return null
  const flow = Flow.safeParse(JSON.parse(text))
  if (!flow.success || flow.data.id !== id) return null
  sessionStorage.removeItem(key)
  return flow.data
}
