import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/channel/add')({
  beforeLoad: () => {
    throw redirect({ to: '/admin/channels', search: { edit: 'new' } })
  },
})
