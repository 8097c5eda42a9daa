import { userIdHeader } from '@tollgate/contract'

declare global {
  interface Window {
    /** What the script in `index.html` has asked for already. */
    early?: Early
  }
}

export interface Early {
  /** When the page was opened, in milliseconds. */
  readonly at: number
  readonly answers: Map<string, Promise<Response>>
  /** Files of texts by language and area; that of every page under ''. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** After that the answers are no longer those of now. */
const freshMs = 30_000

const fresh = (): Early | undefined => {
  const { early } = window
  return early && Date.now() - early.at < freshMs ? early : undefined
}

/** Names a question, whoever asks it in whichever language. */
export const earlyKey = (address: string, headers: Headers): string =>
  [address, headers.get(userIdHeader), headers.get('Accept-Language')].join(' ')

/** Returns the answer to a request that was made before this code was there; the first time only. */
export function earlyAnswer({ method, url, headers }: Request): Promise<Response> | undefined {
  const { pathname, search } = new URL(url)
  const key = earlyKey(pathname + search, headers)
  const answer = method === 'GET' ? fresh()?.answers.get(key) : undefined
  if (answer) window.early?.answers.delete(key)
  return answer
}

/** The moment that counts as now, in milliseconds: that of the opening on a page that was just opened, so that it asks what was asked ahead. */
export const earlyNow = (): number => fresh()?.at ?? Date.now()
