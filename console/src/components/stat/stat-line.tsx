import type { ReactNode } from 'react'

import classes from './stat.module.css'

interface StatLineProps {
  /** Undefined while loading. */
  readonly stats: readonly (readonly [name: string, value: ReactNode | undefined])[]
}

/** Sums in one line above their rows. */
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
