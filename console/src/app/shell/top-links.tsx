import { Link, useRouterState } from '@tanstack/react-router'

import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'
import { consolePath, docsLink, isConsolePath, pagesFor } from '../pages'
import classes from './shell.module.css'

/** Home, Console, Pricing, Docs, About; and a greeting on one day of the year. */
export function TopLinks() {
  const { t } = useTranslation('shell')
  const site = useSite()
  const viewer = useViewer()
  const [home, ...others] = pagesFor(site, viewer).filter(({ section }) => section === 'top')
  const docs = docsLink(site)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <nav className={classes.topLinks} aria-label={t('menu.top')}>
      {home && <TopLink to={home.path} text={home.name} isExact />}
      <TopLink to={consolePath(site)} text={t('page.console')} isLit={isConsolePath(pathname)} />
      {others.map((page) => (
        <TopLink key={page.path} to={page.path} text={page.name} />
      ))}
      {docs && (
        <a className={classes.topLink} href={docs} target="_blank" rel="noreferrer">
          {t('page.docs')}
        </a>
      )}
      {isNewYear(new Date()) && <span className={classes.topLink}>{t('newYear')}</span>}
    </nav>
  )
}

interface TopLinkProps {
  readonly to: string
  readonly text: string
  readonly isExact?: boolean
  /** Highlighted on pages below other addresses too. */
  readonly isLit?: boolean
}

function TopLink({ to, text, isExact = false, isLit = false }: TopLinkProps) {
  return (
    <Link
      to={to}
      className={classes.topLink}
      activeOptions={{ exact: isExact, includeSearch: false }}
      data-is-lit={isLit || undefined}
    >
      {text}
    </Link>
  )
}

const isNewYear = (date: Date): boolean => date.getMonth() === 0 && date.getDate() === 1
