import { Skeleton, Stack } from '@mantine/core'

/** Shown while a page's code loads. */
export function PageLoading() {
  return (
    <Stack gap="md" aria-busy="true" data-is-waiting>
      <Skeleton h={28} w={180} />
      <Skeleton h={36} />
      <Skeleton h={280} />
    </Stack>
  )
}
