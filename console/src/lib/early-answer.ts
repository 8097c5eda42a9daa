declare global {
  interface Window {
    /** The answer that `index.html` has asked for already. */
    earlyStatus?: Promise<Response>
  }
}

/** Returns the answer to a request that was made before this code was there; the first time only. */
export function earlyAnswer({ method, url }: Request): Promise<Response> | undefined {
  const answer = window.earlyStatus
  if (!answer || method !== 'GET' || new URL(url).pathname !== '/api/status') return undefined
  window.earlyStatus = undefined
  return answer
}
