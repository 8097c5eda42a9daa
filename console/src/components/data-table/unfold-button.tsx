import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { HTMLAttributes } from 'react'

import classes from './data-table.module.css'

interface UnfoldButtonProps extends HTMLAttributes<HTMLButtonElement> {
  readonly isUnfolded: boolean
  readonly onToggle: () => void
  /** For screen readers, where the button has no text. */
  readonly label?: string
}

/** Expands and collapses the details of a row without opening it. */
export function UnfoldButton({ isUnfolded, onToggle, label, children, className = '', ...rest }: UnfoldButtonProps) {
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
