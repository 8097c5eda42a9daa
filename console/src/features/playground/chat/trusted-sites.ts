import * as z from 'zod'

import { useViewer } from '../../../lib/api/session'
import { stored, useStored } from '../../../lib/browser/storage'

const Trusted = z.array(z.object({ user: z.number().int(), site: z.string() }))
const storedTrust = stored<z.output<typeof Trusted>>('chat-sites', Trusted, [])

/** Sites that may receive the reader's keys, each confirmed once in this browser. */
export function useTrustedSites() {
  const { user } = useViewer()
  const [trusted, setTrusted] = useStored(storedTrust)
  const id = user?.id ?? 0
  const isTrusted = (site: string) => trusted.some((known) => known.user === id && known.site === site)
  return {
    isTrusted,
    trust: (site: string) => {
      if (!isTrusted(site)) setTrusted([...trusted, { user: id, site }])
    },
  }
}
