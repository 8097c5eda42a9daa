import { createFileRoute, redirect } from '@tanstack/react-router'
import { settingsReaders } from '@tollgate/contract'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { SettingsPage } from '../features/settings/settings-page'
import { allOptionTexts, optionTextsOf, SettingsSearch } from '../features/settings/settings-search'
import { loadAreas } from '../lib/text/i18n'
import { viewedUser, viewer } from '../lib/api/session'

/** Asks for the account's permissions where its role alone does not open the settings. */
async function mayRead(): Promise<boolean> {
  const { user, may } = viewer()
  if (may(settingsReaders) || !user || viewedUser) return may(settingsReaders)
  const { refreshOnce } = await import('../lib/api/keep-grants')
  await refreshOnce(user.id)
  return viewer().may(settingsReaders)
}

export const Route = createFileRoute('/admin/settings')({
  validateSearch: SettingsSearch,
  beforeLoad: async (context) => {
    requireLogin(context)
    // Linking an account returns here: readers without access to the site's settings continue to their own.
    if (!(await mayRead()) && context.search.linked) throw redirect({ to: '/app/me', search: { tab: 'sign-in' } })
  },
  loaderDeps: ({ search: { page = 'general', keyword } }) => ({ page, isSearching: keyword !== undefined }),
  loader: ({ deps: { page, isSearching } }) =>
    loadAreas('settings', ...(isSearching ? allOptionTexts : [optionTextsOf(page)])),
  component: () => (
    <AdminsOnly grants={settingsReaders}>
      <SettingsPage />
    </AdminsOnly>
  ),
})
