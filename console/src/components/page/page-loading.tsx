import { Skeleton, Stack } from '@mantine/core'

import { usePlaceholder } from './waiting'

/** Shown while a page's code loads. */
export function PageLoading() {
  usePlaceholder()
  return (
    <Stack gap="md" aria-busy="true">
      <Skeleton h={28} w={180} />
      <Skeleton h={36} />
      <Skeleton h={280} />
    </Stack>
  )
}
