import { Group } from '@mantine/core'

import { ItemsShown } from './items-shown'
import { PageSteps } from './page-steps'

interface ListFooterProps {
  /** From 1. */
  readonly page: number
  readonly size: number
  readonly total: number
  readonly onChange: (page: number) => void
}

/** What stands below a list within a drawer or a dialog: which items are shown, and the way to the others. */
export function ListFooter({ page, size, total, onChange }: ListFooterProps) {
  return (
    <Group justify="space-between" gap="sm">
      <ItemsShown page={page} size={size} total={total} />
      {total > size && <PageSteps page={page} last={Math.ceil(total / size)} onChange={onChange} />}
    </Group>
  )
}
