import { createFileRoute } from '@tanstack/react-router'

import { SetupPage } from '../features/account/setup/setup-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/setup')({ loader: () => loadAreas('setup'), component: SetupPage })
