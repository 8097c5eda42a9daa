import { userIdHeader } from '@tollgate/contract'

declare global {
  interface Window {
    /** Requests made by the script in `index.html`. */
    early?: Early
  }
}

export interface Early {
  /** When the page was opened, in milliseconds. */
  readonly at: number
  readonly answers: Map<string, Promise<Response>>
  /** Text files by language and area; the area '' is needed by every page. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Afterwards the responses count as outdated. */
const freshMs = 30_000

const fresh = (): Early | undefined => {
  const { early } = window
  return early && Date.now() - early.at < freshMs ? early : undefined
}

/** Returns the key of a request, independent of the caller and the language. */
export const earlyKey = (address: string, headers: Headers): string =>
  [address, headers.get(userIdHeader), headers.get('Accept-Language')].join(' ')

/** Returns the response to a request that was made before this code had loaded; only once. */
export function earlyAnswer({ method, url, headers }: Request): Promise<Response> | undefined {
  const { pathname, search } = new URL(url)
  const key = earlyKey(pathname + search, headers)
  const answer = method === 'GET' ? fresh()?.answers.get(key) : undefined
  if (answer) window.early?.answers.delete(key)
  return answer
}

/** Returns the current time in milliseconds; on a page just opened, the time of opening, so that its requests match the early ones. */
export const earlyNow = (): number => fresh()?.at ?? Date.now()
