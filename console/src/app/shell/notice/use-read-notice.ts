import * as z from 'zod'

import { storedValue, useStored } from '../../../lib/browser/storage'

const storedRead = storedValue('notice-read', z.string(), '', { isPlain: true })

/** Remembers which announcement was dismissed in this browser. */
export function useReadNotice() {
  const [readId, setRead] = useStored(storedRead)
  return { readId, setRead }
}
