import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { UserSearch } from '../features/users/user-search'
import { UsersPage } from '../features/users/users-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/users')({
  validateSearch: UserSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('users'),
  component: () => (
    <AdminsOnly grants="users.read">
      <UsersPage />
    </AdminsOnly>
  ),
})
