import './styles'

import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { startI18n } from '../lib/i18n'
import { createQueryClient } from '../lib/query'
import { retrySignOut } from '../lib/sign-out'
import { rememberedLogo } from '../lib/status'
import { colorSchemeManager } from './color-scheme'
import { loadTexts } from './load-texts'
import { reloadOnUpdate } from './reload-on-update'
import { guardPictures } from './picture-policy'
import { createAppRouter } from './router'
import { cssVariables, theme } from './theme'
import { SecondFactor } from './second-factor'
import { StepUp } from './step-up'
import { Toasts } from './toasts'

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
const schemes = colorSchemeManager()
guardPictures(router, rememberedLogo)

reloadOnUpdate()
retrySignOut()
// The page's own requests go first.
keepGrantsSoon()
await startI18n(loadTexts)

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
      colorSchemeManager={schemes}
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

/** Tries again while there is no connection to load it over. */
function keepGrantsSoon(): void {
  setTimeout(() => void import('../lib/keep-grants').then(({ keepGrants }) => keepGrants(), keepGrantsSoon), 5_000)
}
