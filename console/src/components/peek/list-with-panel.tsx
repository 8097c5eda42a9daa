import { Suspense, type ReactNode } from 'react'

import classes from './list-with-panel.module.css'
import { usePeekWidth } from './peek-width'

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
