import { ActionIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

import { Tip } from '../../../components/tip'

interface SmallActionProps {
  readonly label: string
  readonly icon: Icon
  readonly isDisabled?: boolean
  readonly onClick: () => void
}

/** A small button below a message. */
export function SmallAction({ label, icon: ActionSign, isDisabled, onClick }: SmallActionProps) {
  return (
    <Tip label={label}>
      <ActionIcon size={24} aria-label={label} disabled={isDisabled} onClick={onClick}>
        <ActionSign size={14} />
      </ActionIcon>
    </Tip>
  )
}
