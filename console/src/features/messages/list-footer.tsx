import { Group } from '@mantine/core'

import { ItemsShown, PageSteps } from '../../components/page/page-steps'

interface ListFooterProps {
  /** From 1. */
  readonly page: number
  readonly size: number
  readonly total: number
  readonly onChange: (page: number) => void
}

/** The footer of a list in a drawer or a dialog: the current range and page navigation. */
export function ListFooter({ page, size, total, onChange }: ListFooterProps) {
  return (
    <Group justify="space-between" gap="sm">
      <ItemsShown page={page} size={size} total={total} />
      {total > size && <PageSteps page={page} last={Math.ceil(total / size)} onChange={onChange} />}
    </Group>
  )
}
