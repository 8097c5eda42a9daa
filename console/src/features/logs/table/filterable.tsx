import type { ReactNode } from 'react'

import type { Excludable } from '../filters/exclusions'
import classes from '../logs.module.css'

interface FilterableProps {
  readonly name: Excludable
  readonly children: ReactNode
}

/** A value that the log can be filtered by. The table opens its menu, see `useCellMenu`: too many cells for menus of their own. */
export const Filterable = ({ name, children }: FilterableProps) => (
  <span className={classes.filterable} data-filter={name}>
    {children}
    <span className={classes.filterSign} data-filter-menu aria-hidden />
  </span>
)
