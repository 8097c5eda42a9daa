import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { AuditPage } from '../features/system/audit/audit-page'
import { AuditSearch } from '../features/system/audit/audit-search'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/audit')({
  validateSearch: AuditSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('audit'),
  component: () => (
    <AdminsOnly grants="audit.read">
      <AuditPage />
    </AdminsOnly>
  ),
})
