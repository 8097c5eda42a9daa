import { createFileRoute, redirect } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { OwnProfilePage } from '../features/users/own-profile-page'
import { loadAreas } from '../lib/text/i18n'

/** Another account is edited beside the list of all; without an id it is the reader's own. */
export const Route = createFileRoute('/user/edit/{-$id}')({
  beforeLoad: (context) => {
    requireLogin(context)
    const { id } = context.params
    if (id !== undefined) throw redirect({ to: '/admin/users', search: { edit: id } })
  },
  loader: () => loadAreas('users'),
  component: OwnProfilePage,
})
