import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/channel/edit/$id')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/admin/channels', search: { edit: params.id } })
  },
})
