import { type ReactNode, Suspense } from 'react'
import * as z from 'zod'

import classes from './list-with-panel.module.css'
import { StoredValue, useStored } from '../../lib/browser/stored-value'

interface ListWithPanelProps {
  /** A `PeekPanel` while a row is open; its code loads then. */
  readonly panel: ReactNode
  readonly children: ReactNode
}

/** A table with the panel of its open row beside it. */
export const ListWithPanel = ({ panel, children }: ListWithPanelProps) => (
  <div className={classes.both}>
    <div className={classes.list}>{children}</div>
    <Suspense fallback={<WaitingPanel />}>{panel}</Suspense>
  </div>
)

/** The place of the panel while its code loads: the list is not drawn wider before. */
function WaitingPanel() {
  const [width] = usePeekWidth()
  return <div className={classes.waiting} style={{ width }} aria-busy />
}

/** Pixels. */
export const peekLimits = { least: 340, usual: 460, most: 900 } as const

const storedWidth = new StoredValue(
  'peek-width',
  z.number().min(peekLimits.least).max(peekLimits.most),
  peekLimits.usual,
)

/** Width of details beside a table, as stored in this browser. */
export const usePeekWidth = () => useStored(storedWidth)
