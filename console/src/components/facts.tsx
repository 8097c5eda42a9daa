import type { ReactNode } from 'react'

import classes from './facts.module.css'

interface FactsProps {
  /** What stands for nothing is left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
}

/** Names and values under one another. */
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
