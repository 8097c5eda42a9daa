import * as z from 'zod'

const ViewedUser = z.object({ id: z.number().int(), username: z.string(), group: z.string() })
export type ViewedUser = z.output<typeof ViewedUser>

const key = 'viewed-user'

/**
 * The user whose log and prices this tab shows, as that user sees them; null in any other tab. Read once: it changes only with a reload.
 */
export const viewedUser: ViewedUser | null = read()

function read(): ViewedUser | null {
  try {
    return ViewedUser.nullable().parse(JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  } catch {
    return null
  }
}

/** Reloads the console as that user sees it. Nothing that was read before stays in memory. */
export function viewAs({ id, username, group }: ViewedUser): void {
  sessionStorage.setItem(key, JSON.stringify({ id, username, group }))
  location.assign('/app/logs/api-usage')
}

/** Returns to the reader's own view. */
export function endViewing(): void {
  sessionStorage.removeItem(key)
  location.assign(`/admin/users?open=${viewedUser?.id ?? ''}`)
}
