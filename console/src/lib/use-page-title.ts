import { useEffect } from 'react'

import { useSite } from './status'

/** Names the page on the browser's tab, before the name of the site. */
export function usePageTitle(title: string): void {
  const { system_name: site } = useSite()
  useEffect(() => {
    document.title = `${title} · ${site}`
  }, [title, site])
}
