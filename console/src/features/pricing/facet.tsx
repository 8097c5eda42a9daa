import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'

import { Tip } from '../../components/tip'
import classes from './pricing.module.css'

export interface FacetChoice {
  readonly value: string | undefined
  readonly label: ReactNode
  /** A count, a ratio. */
  readonly mark?: ReactNode
  readonly hint?: string
}

interface FacetProps {
  readonly label: string
  readonly choices: readonly FacetChoice[]
  readonly chosen: string | undefined
  readonly onChoose: (value: string | undefined) => void
}

/** One of some values, all in sight. */
export function Facet({ label, choices, chosen, onChoose }: FacetProps) {
  return (
    <div className={classes.facet} role="group" aria-label={label}>
      <span className={classes.facetName}>{label}</span>
      <div className={classes.choices}>
        {choices.map(({ value, label, mark, hint }) => (
          <Tip key={value ?? ''} label={hint}>
            <UnstyledButton className={classes.choice} aria-pressed={value === chosen} onClick={() => onChoose(value)}>
              {label}
              {mark}
            </UnstyledButton>
          </Tip>
        ))}
      </div>
    </div>
  )
}
