import { userIdHeader } from '@tollgate/contract'

declare global {
  interface Window {
    /** Requests made by the script in `index.html`. */
    preload?: Preload
  }
}

export interface Preload {
  /** When the page was opened, in milliseconds. */
  readonly at: number
  readonly responses: Map<string, Promise<Response>>
  /** Text files by language and area; the area '' is needed by every page. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Afterwards the responses count as outdated. */
const freshMs = 30_000

const fresh = (): Preload | undefined => {
  const { preload } = window
  return preload && Date.now() - preload.at < freshMs ? preload : undefined
}

/** Returns the key of a request, independent of the caller and the language. */
export const preloadKey = (address: string, headers: Headers): string =>
  [address, headers.get(userIdHeader), headers.get('Accept-Language')].join(' ')

/** Returns the response to a request that was made before this code had loaded; only once. */
export function preloadedResponse({ method, url, headers }: Request): Promise<Response> | undefined {
  const { pathname, search } = new URL(url)
  const key = preloadKey(pathname + search, headers)
  const response = method === 'GET' ? fresh()?.responses.get(key) : undefined
  if (response) window.preload?.responses.delete(key)
  return response
}

/** Returns the current time in milliseconds; on a page just opened, the time of opening, so that its requests match the early ones. */
export const preloadTime = (): number => fresh()?.at ?? Date.now()
