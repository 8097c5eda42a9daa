import { createFileRoute } from '@tanstack/react-router'

import { AboutPage } from '../features/home/about-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/about')({ loader: () => loadAreas('home'), component: AboutPage })
