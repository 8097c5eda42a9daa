import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

export function PanelSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="h4" mb={6}>
        {title}
      </Title>
      {children}
    </section>
  )
}
