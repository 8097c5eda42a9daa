import * as z from 'zod'

import { useIsTablet } from '../../lib/browser/breakpoints'
import { stored, useStored } from '../../lib/browser/storage'
import { useSite } from '../../lib/api/status'

const storedCollapse = stored('default_collapse_sidebar', z.enum(['true', 'false']).nullable(), null, { isPlain: true })

/** Stored separately: opening the menu on a tablet must not change it on wide screens. */
const storedOnTablet = stored('sidebar-collapsed-on-tablet', z.boolean(), true)

/** Whether the menu is collapsed, as remembered. The site sets the default; tablets start collapsed. */
export function useCollapse() {
  const site = useSite()
  const isTablet = useIsTablet()
  const [chosen, choose] = useStored(storedCollapse)
  const [isOnTablet, setOnTablet] = useStored(storedOnTablet)
  if (isTablet) return { isCollapsed: isOnTablet, setCollapsed: setOnTablet }
  return {
    isCollapsed: chosen === null ? site.default_collapse_sidebar : chosen === 'true',
    setCollapsed: (isCollapsed: boolean) => choose(isCollapsed ? 'true' : 'false'),
  }
}
