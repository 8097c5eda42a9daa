import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type HTMLAttributes, useMemo, useState } from 'react'

import classes from './data-table.module.css'
import { toggled } from './row-checkbox'
import type { RowExpansion } from './types'

interface UnfoldButtonProps extends HTMLAttributes<HTMLButtonElement> {
  readonly isUnfolded: boolean
  readonly onToggle: () => void
  /** For screen readers, where the button has no text. */
  readonly label?: string
}

/** Expands and collapses the details of a row without opening it. */
export function ExpandButton({ isUnfolded, onToggle, label, children, className = '', ...rest }: UnfoldButtonProps) {
  const Arrow = isUnfolded ? IconChevronDown : IconChevronRight
  return (
    <UnstyledButton
      {...rest}
      className={`${classes.unfold} ${className}`}
      aria-label={label}
      aria-expanded={isUnfolded}
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Arrow size={children ? 12 : 16} aria-hidden />
      {children}
    </UnstyledButton>
  )
}

/** Keeps which rows of a table are expanded. */
export function useRowExpansion(): Pick<RowExpansion<never>, 'unfolded' | 'onToggle'> {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  return useMemo(() => ({ unfolded, onToggle: (key) => setUnfolded((keys) => toggled(keys, key)) }), [unfolded])
}
