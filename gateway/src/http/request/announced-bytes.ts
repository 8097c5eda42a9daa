/**
 * Returns how many bytes a request announces for its body; null where it does not say. The runtime accepts a length that is repeated, and
 * joins it: `5, 5`.
 */
export function announcedBytes({ headers }: Pick<Request, 'headers'>): number | null {
  const length = Number.parseInt(headers.get('content-length') ?? '', 10)
  return Number.isSafeInteger(length) ? length : null
}
