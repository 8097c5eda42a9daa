import { useRouterState } from '@tanstack/react-router'

import { useTranslation } from '../../lib/i18n'
import classes from './progress-bar.module.css'

/** The barrier's stripes along the top edge while a page is on its way. It shows itself after 150 ms; most pages are quicker. */
export function ProgressBar() {
  const { t } = useTranslation('shell')
  const isLoading = useRouterState({ select: ({ isLoading }) => isLoading })
  return isLoading && <div className={classes.bar} role="progressbar" aria-label={t('loading')} />
}
