import { ApiError } from '@tollgate/contract'

/** Acts that are remembered at most. */
const maxKeys = 50

/** The keys of acts whose response was lost, by what was sent: made again, such an act is the same one. */
const keys = new Map<string, string>()

/** Returns a name for one act; `crypto.randomUUID` is there over TLS alone. */
export const newActKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Returns the key of an act: that of its earlier attempt where the response to it was lost. */
export const keyOfAct = (act: string): string => keys.get(act) ?? newActKey()

/** Remembers the key of an act whose response was lost, and forgets it once there is one. `error` is undefined for an act that is done. */
export function actEnded(act: string, key: string, error: unknown): void {
  keys.delete(act)
  if (error === undefined || !isLost(error)) return
  keys.set(act, key)
  const [oldest] = keys.keys()
  if (keys.size > maxKeys && oldest !== undefined) keys.delete(oldest)
}

/** Without an envelope something between us and the gateway responded, or nothing. */
const isLost = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.code === undefined || error.code === 'act.under_way' || error.status >= 500
