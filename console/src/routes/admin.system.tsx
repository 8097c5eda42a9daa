import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { SystemPage } from '../features/system/system-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/system')({
  beforeLoad: requireLogin,
  loader: () => loadAreas('system'),
  component: () => (
    <AdminsOnly grants="settings.read">
      <SystemPage />
    </AdminsOnly>
  ),
})
