import { useRouterState } from '@tanstack/react-router'

import { useTranslation } from '../../lib/text/i18n'
import classes from './progress-bar.module.css'

/** Stripes along the top edge while a page loads, after a delay of 150 ms; most pages are faster. */
export function ProgressBar() {
  const { t } = useTranslation('shell')
  const isLoading = useRouterState({ select: ({ isLoading }) => isLoading })
  return isLoading && <div className={classes.bar} role="progressbar" aria-label={t('loading')} />
}
