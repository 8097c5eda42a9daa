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
  /** Bodies of the successful ones that have arrived. */
  readonly bodies: Map<string, string>
  /** Text files by language and area; the area '' is needed by every page. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Afterwards the responses count as outdated. */
const freshMs = 30_000

const fresh = (): Preload | undefined => {
  const { preload } = window
  return preload && Date.now() - preload.at < freshMs ? preload : undefined
}

/** Returns the key of a request by this user in this language. */
export const preloadKey = (address: string, userId: number | string | null | undefined, language: string | null) =>
  [address, userId, language].join(' ')

/** Returns the response to a request that was made before this code had loaded; only once. */
export function preloadedResponse({ method, url, headers }: Request): Promise<Response> | undefined {
  const { pathname, search } = new URL(url)
  const key = preloadKey(pathname + search, headers.get(userIdHeader), headers.get('Accept-Language'))
  const response = method === 'GET' ? fresh()?.responses.get(key) : undefined
  forget(key)
  return response
}

/** Returns the body of such a response if it has arrived, so that a page is drawn with its data at once. It remains until `forget(key)`. */
export const preloadedBody = (key: string): string | undefined => fresh()?.bodies.get(key)

export function forget(key: string): void {
  window.preload?.responses.delete(key)
  window.preload?.bodies.delete(key)
}

/** Returns the current time in milliseconds; on a page just opened, the time of opening, so that its requests match the early ones. */
export const preloadTime = (): number => fresh()?.at ?? Date.now()
