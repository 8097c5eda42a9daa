import { createFileRoute } from '@tanstack/react-router'
import { settingsReaders } from '@tollgate/contract'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { SettingsPage } from '../features/settings/settings-page'
import { allOptionTexts, optionTextsOf, SettingsSearch } from '../features/settings/settings-search'
import { loadAreas } from '../lib/i18n'

export const Route = createFileRoute('/admin/settings')({
  validateSearch: SettingsSearch,
  beforeLoad: requireLogin,
  loaderDeps: ({ search: { page = 'general', keyword } }) => ({ page, isSearching: keyword !== undefined }),
  loader: ({ deps: { page, isSearching } }) =>
    loadAreas('settings', ...(isSearching ? allOptionTexts : [optionTextsOf(page)])),
  component: () => (
    <AdminsOnly grants={settingsReaders}>
      <SettingsPage />
    </AdminsOnly>
  ),
})
