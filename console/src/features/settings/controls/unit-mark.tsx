import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

export const unitMarkWidth = 84

/** The unit of a number, at the end of its field. */
export function UnitMark({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" w="100%" pr={10} ta="right">
      {children}
    </Text>
  )
}
