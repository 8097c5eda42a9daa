import './styles'

import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { startI18n } from '../lib/text/i18n'
import { languageOwner, storedLanguage } from '../lib/text/language'
import { createQueryClient } from '../lib/api/query'
import { storedUser } from '../lib/api/session'
import { retrySignOut } from '../lib/api/sign-out'
import { rememberedLogo } from '../lib/api/status'
import { ColorScheme } from './color-scheme'
import { loadTexts } from './load-texts'
import { reloadOnUpdate } from './reload-on-update'
import { guardImages } from './image-policy'
import { createAppRouter } from './router'
import { cssVariables, theme } from './theme'
import { SecondFactor, StepUp } from './verification'
import { Toasts } from './toasts'

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
const colorScheme = new ColorScheme()
guardImages(router, rememberedLogo)

reloadOnUpdate()
retrySignOut()
// The page's own requests go first.
keepGrantsSoon()
await startI18n(loadTexts)
await adoptLanguageFirst()

// The loading indicator of index.html.
const stop = router.subscribe('onRendered', () => {
  document.getElementById('start')?.remove()
  stop()
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <Toasts />
        <StepUp />
        <SecondFactor />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

/** Begins some seconds after the page, or when another user signs in; tries again while there is no connection to load it over. */
function keepGrantsSoon(): void {
  const begin = () => {
    clearTimeout(timer)
    end()
    void import('../lib/api/keep-grants').then(({ keepGrants }) => keepGrants(), keepGrantsSoon)
  }
  const timer = setTimeout(begin, 5_000)
  const end = storedUser.subscribe(begin)
}

const maxWaitMs = 1_500

/** In a browser without a choice of its own, a page is drawn in its reader's language at once, rather than turned while it is read. */
async function adoptLanguageFirst(): Promise<void> {
  const user = storedUser.get()
  if (!user || storedLanguage.get() !== '' || languageOwner.get() === user.id) return
  const adopted = import('../lib/api/keep-grants').then(({ refreshOnce }) => refreshOnce(user.id)).catch(() => {})
  await Promise.race([adopted, new Promise((resolve) => setTimeout(resolve, maxWaitMs))])
}
