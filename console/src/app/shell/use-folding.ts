import * as z from 'zod'

import { storedValue, useStored } from '../../lib/browser/storage'
import type { MenuSection } from '../pages'

export type FoldedSection = MenuSection | 'chat'

/** Chat pages belong to other sites and start collapsed. */
const folded: ReadonlySet<FoldedSection> = new Set(['chat'])

const storedFolding = storedValue<Record<string, boolean>>('sidebar-open', z.record(z.string(), z.boolean()), {})

/** Whether a section of the menu is open, as remembered. */
export function useFolding(section: FoldedSection) {
  const [open, setStored] = useStored(storedFolding)
  return {
    isOpen: open[section] ?? !folded.has(section),
    setOpen: (isOpen: boolean) => setStored({ ...open, [section]: isOpen }),
  }
}
