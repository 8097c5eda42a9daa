import type { ReactNode } from 'react'

import classes from './stat.module.css'

interface StatLineProps {
  /** Undefined while a value is on its way. */
  readonly stats: readonly (readonly [name: string, value: ReactNode | undefined])[]
}

/** Some figures in one line, above the rows they sum. */
export function StatLine({ stats }: StatLineProps) {
  return (
    <dl className={classes.line}>
      {stats.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
