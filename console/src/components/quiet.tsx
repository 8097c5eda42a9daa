import { Text } from '@mantine/core'

/** Words in place of a value, such as "Never" or "Unlimited". */
export const Quiet = ({ children }: { readonly children: string }) => (
  <Text inherit span c="dimmed">
    {children}
  </Text>
)
