import * as z from 'zod'

import { storedValue, useStored } from '../../lib/browser/storage'

/** Pixels. */
export const peekLimits = { least: 340, usual: 460, most: 900 } as const

const storedWidth = storedValue('peek-width', z.number().min(peekLimits.least).max(peekLimits.most), peekLimits.usual)

/** Width of details beside a table, as stored in this browser. */
export const usePeekWidth = () => useStored(storedWidth)
