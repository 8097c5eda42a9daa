import { UnstyledButton } from '@mantine/core'
import { useState, type ReactNode } from 'react'

import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
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

/** More choices than this are collapsed, two lines' worth. */
const maxShown = 10

/** Selects one of several values, the first of them visible. */
export function Facet({ label, choices, chosen, onChoose }: FacetProps) {
  const { t } = useTranslation('pricing')
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? choices : choices.filter(({ value }, place) => place < maxShown || value === chosen)
  const folded = choices.length - shown.length
  return (
    <div className={classes.facet} role="group" aria-label={label}>
      <span className={classes.facetName}>{label}</span>
      <div className={classes.choices}>
        {shown.map(({ value, label, mark, hint }) => (
          <Tip key={value ?? ''} label={hint}>
            <UnstyledButton className={classes.choice} aria-pressed={value === chosen} onClick={() => onChoose(value)}>
              {label}
              {mark}
            </UnstyledButton>
          </Tip>
        ))}
        {folded > 0 && (
          <UnstyledButton className={classes.more} onClick={() => setOpen(true)}>
            {t('facet.more', { count: folded })}
          </UnstyledButton>
        )}
      </div>
    </div>
  )
}
