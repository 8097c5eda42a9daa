import { createFileRoute } from '@tanstack/react-router'

import { ResetPage } from '../features/account/reset/reset-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/reset')({ loader: () => loadAreas('reset'), component: ResetPage })
