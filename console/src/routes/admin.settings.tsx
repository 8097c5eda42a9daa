import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { SettingsPage } from '../features/settings/settings-page'
import { SettingsSearch } from '../features/settings/settings-search'

export const Route = createFileRoute('/admin/settings')({
  validateSearch: SettingsSearch,
  beforeLoad: requireLogin,
  component: SettingsPage,
})
