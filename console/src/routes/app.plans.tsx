import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { OwnPlansPage } from '../features/plans/own/own-plans-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/app/plans')({
  beforeLoad: requireLogin,
  loader: () => loadAreas('own-plans', 'plan', 'limits'),
  component: OwnPlansPage,
})
