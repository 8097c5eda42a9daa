import type { ReactNode } from 'react'

import classes from './data-table.module.css'

/** A fact of a card that arrives after the rows: its room is reserved, so that no card grows. */
export const LateFact = ({ children }: { readonly children: ReactNode }) => (
  <span className={classes.lateFact} data-is-late>
    {children}
  </span>
)
