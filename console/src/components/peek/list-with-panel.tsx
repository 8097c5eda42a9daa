import { Suspense, type ReactNode } from 'react'

import classes from './list-with-panel.module.css'

interface ListWithPanelProps {
  /** A `PeekPanel` while a row is open; its code loads then. */
  readonly panel: ReactNode
  readonly children: ReactNode
}

/** A table with the panel of its open row beside it. */
export const ListWithPanel = ({ panel, children }: ListWithPanelProps) => (
  <div className={classes.both}>
    <div className={classes.list}>{children}</div>
    <Suspense>{panel}</Suspense>
  </div>
)
