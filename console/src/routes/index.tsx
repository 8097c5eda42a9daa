import { createFileRoute } from '@tanstack/react-router'

import { HomePage } from '../features/home/home-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/')({ loader: () => loadAreas('home'), component: HomePage })
