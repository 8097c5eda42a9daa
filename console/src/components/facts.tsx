import type { ReactNode } from 'react'

import classes from './facts.module.css'

interface FactsProps {
  /** Empty values are left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
}

/** A list of names and values. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) =>
        value === '' || value === null || value === undefined || value === false ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
