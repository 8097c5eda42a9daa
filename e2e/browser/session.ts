import type { BrowserContext } from 'playwright-core'

import type { Account } from '../console'

/** A signed-in session as the browser stores it. */
export interface Session {
  /** Name and value. */
  readonly cookies: readonly (readonly [string, string])[]
  /** The account as the console stores it. */
  readonly user: string
}

/**
 * Signs in through the API.
 * @throws Error with the server's sentence.
 */
export async function signIn(url: string, account: Account): Promise<Session> {
  const response = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  const { data, message } = (await response.json()) as { data?: unknown; message: string }
  if (!data) throw new Error(`${account.username} cannot sign in: ${message}`)
  return { cookies: response.headers.getSetCookie().map(pairOf), user: JSON.stringify(data) }
}

export const addCookies = (context: BrowserContext, url: string, { cookies }: Session): Promise<void> =>
  context.addCookies(cookies.map(([name, value]) => ({ name, value, url, httpOnly: true, sameSite: 'Lax' })))

function pairOf(cookie: string): [string, string] {
  const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split(/=(.*)/s)
  return [name, value]
}
