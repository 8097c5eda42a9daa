import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'

import classes from './shell.module.css'
import { PageLoading } from '../../components/page/page-loading'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer, viewedUser } from '../../lib/api/session'
import { notifyWarning } from '../../lib/browser/notify'
import { isSafeMode } from '../../lib/browser/safe-mode'
import { areChatsReadable, useSite } from '../../lib/api/status'
import { hasSideMenu, SideMenu } from './side-menu'
import { NoticeStrip } from './notice/notice'
import { OfflineBanner } from './offline-banner'
import { ProgressBar } from './progress-bar'
import { TopBar } from './top-bar'
import { useShortcuts } from './use-shortcuts'
import { SafeHtml } from '../../components/texts/safe-html'

const SafeBanner = lazy(async () => ({ default: (await import('./safe-banner')).SafeBanner }))
const ViewingBanner = lazy(async () => ({ default: (await import('./viewing-banner')).ViewingBanner }))
const Palette = lazy(async () => ({ default: (await import('./palette/palette')).Palette }))
const NoticeDialog = lazy(async () => ({ default: (await import('./notice/notice-dialog')).NoticeDialog }))
const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet')).ShortcutSheet }))

/** The frame around every page. */
export function Shell() {
  const { t } = useTranslation('shell')
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isPhone = useIsPhone()
  const isSignedIn = useViewer().user !== null
  const { opened, open, close } = useShortcuts()
  const hasBadChats = !areChatsReadable(useSite().chats)
  useEffect(() => {
    if (hasBadChats) notifyWarning(t('noChats'))
  }, [hasBadChats, t])
  return (
    <div className={classes.shell}>
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <ProgressBar />
      <TopBar onOpen={open} />
      <OfflineBanner />
      <Suspense>{isSafeMode() && <SafeBanner />}</Suspense>
      <Suspense>{viewedUser && <ViewingBanner user={viewedUser} />}</Suspense>
      {pathname !== '/setup' && <NoticeStrip onOpen={() => open('notice')} />}
      <div className={classes.middle}>
        {hasSideMenu(pathname, isSignedIn) && !isPhone && <SideMenu />}
        <div className={classes.column}>
          <main id="content" className={classes.content} tabIndex={-1}>
            <Suspense fallback={<PageLoading />}>
              <Outlet />
            </Suspense>
          </main>
          <Footer />
        </div>
      </div>
      <Suspense>
        {opened === 'palette' && <Palette onClose={close} onShortcuts={() => open('shortcuts')} />}
        {opened === 'notice' && <NoticeDialog onClose={close} />}
        {opened === 'shortcuts' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </div>
  )
}

const wordings = ['built', 'powered', 'runs'] as const

/** The operator's footer and the product line, whose wording changes with each start of the gateway but not while the page is open. */
function Footer() {
  const { t } = useTranslation('shell')
  const { footer_html: html, version, start_time: startedAt } = useSite()
  const wording = wordings[startedAt % wordings.length] ?? wordings[0]
  return (
    <footer className={classes.footer}>
      <div>{html && <SafeHtml html={html} />}</div>
      <span>{t(`footer.${wording}`, { version })}</span>
    </footer>
  )
}
