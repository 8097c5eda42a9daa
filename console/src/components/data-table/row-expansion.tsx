import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type HTMLAttributes, useMemo, useState } from 'react'

import classes from './data-table.module.css'
import { toggle } from './row-checkbox'
import type { RowExpansion } from './types'

interface ExpandButtonProps extends HTMLAttributes<HTMLButtonElement> {
  readonly isExpanded: boolean
  readonly onToggle: () => void
  /** For screen readers, where the button has no text. */
  readonly label?: string
}

/** Expands and collapses the details of a row without opening it. */
export function ExpandButton({ isExpanded, onToggle, label, children, className = '', ...rest }: ExpandButtonProps) {
  const Arrow = isExpanded ? IconChevronDown : IconChevronRight
  return (
    <UnstyledButton
      {...rest}
      className={`${classes.unfold} ${className}`}
      aria-label={label}
      aria-expanded={isExpanded}
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
export function useRowExpansion(): Pick<RowExpansion<never>, 'expanded' | 'onToggle'> {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  return useMemo(() => ({ expanded, onToggle: (key) => setExpanded((keys) => toggle(keys, key)) }), [expanded])
}
