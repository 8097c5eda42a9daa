import { waitFor } from '@testing-library/react'

/**
 * Resolves when the query finds nothing any more. `expect(element).toBeNull()` prints the element, and with it its document, each time it
 * fails: seconds of processor time.
 */
export const untilGone = (query: () => Element | null): Promise<void> =>
  waitFor(() => {
    if (query() !== null) throw new Error('It is still there')
  })
