import { useEffect } from 'react'

import { useSiteName } from '../api/status'

/** Sets the title of the browser's tab, before the name of the site. Does nothing without a title. */
export function usePageTitle(title: string | undefined): void {
  const site = useSiteName()
  useEffect(() => {
    if (title !== undefined) document.title = site === undefined ? title : `${title} · ${site}`
  }, [title, site])
}
