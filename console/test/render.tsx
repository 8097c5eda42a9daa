import { readdirSync } from 'node:fs'

import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { Grant } from '@tollgate/contract'
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'
import { Suspense, type ReactNode } from 'react'

import { SecondFactor, StepUp } from '../src/app/verification'
import { Toasts } from '../src/app/toasts'
import { theme } from '../src/app/theme'
import { loadAreas, startI18n, type Area, type Texts } from '../src/lib/text/i18n'
import { storedLanguage, type Language } from '../src/lib/text/language'
import { createQueryClient } from '../src/lib/api/query'
import { storedGrants, storedUser, type StoredUser } from '../src/lib/api/session'
import { rememberStatus, SiteProvider } from '../src/lib/api/status'
import { aSite, aUser } from './factories'

const loadTexts = (language: string, area: Area) =>
  Bun.file(`${import.meta.dir}/../src/locales/${language}/${area}.json`).json() as Promise<Texts>

/** Makes texts available to a test that renders nothing. */
export const startTexts = (): Promise<void> => startI18n(loadTexts)

/** Loaded before a test renders, so that nothing waits for texts. */
const areas = readdirSync(`${import.meta.dir}/../src/locales/en`).map((file) => file.replace('.json', '') as Area)

interface RenderOptions {
  readonly language?: Language
  /** `null`: a guest. */
  readonly user?: Partial<StoredUser> | null
  /** The user's permissions; by default those of the role. */
  readonly grants?: readonly Grant[]
  readonly hasPlans?: boolean
  readonly site?: Partial<ReturnType<typeof aSite>>
  /** The address of the page; its search parameters are read by `useSearch`. */
  readonly address?: string
  /** Path of the route whose search parameters the component reads, where it names one. */
  readonly path?: string
  readonly validateSearch?: (search: Record<string, unknown>) => object
}

/** Renders a part of the console in its shell: texts, theme, queries and an address. */
export async function renderConsole(children: ReactNode, options: RenderOptions = {}) {
  const { language = 'en', address = '/', path = '$', validateSearch } = options
  // Toasts of an earlier test would fill the area.
  notifications.clean()
  notifications.cleanQueue()
  storedLanguage.set(language)
  await startTexts()
  await loadAreas(...areas)
  const user = options.user === null ? null : { ...aUser(), ...options.user }
  storedUser.set(user)
  storedGrants.set(
    user && options.grants
      ? { userId: user.id, grants: [...options.grants], hasPlans: options.hasPlans ?? false }
      : null,
  )
  rememberStatus({ ...aSite(), ...options.site })
  const queryClient = createQueryClient()
  queryClient.setDefaultOptions({ queries: { retry: false }, mutations: { retry: false } })
  const root = createRootRouteWithContext<{ queryClient: typeof queryClient }>()({})
  const page = createRoute({
    getParentRoute: () => root,
    path,
    validateSearch,
    component: () => (
      <SiteProvider>
        <Suspense fallback={null}>{children}</Suspense>
      </SiteProvider>
    ),
  })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [address] }),
    context: { queryClient },
  })
  await router.load()
  const view = render(
    <MantineProvider theme={theme} env="test" forceColorScheme="light">
      <QueryClientProvider client={queryClient}>
        <Toasts />
        <StepUp />
        <SecondFactor />
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...view, user: aTypist(), router, queryClient }
}

/**
 * Returns a user that pastes what has no key by itself: React renders the page again for each key. A combobox may treat a pasted text as
 * entries, and gets all keys; a form may read more from a pasted address than its text, and gets its first key.
 */
function aTypist() {
  // Style sheets, by which an element ignores the pointer, are not there.
  const person = userEvent.setup({ document, pointerEventsCheck: PointerEventsCheckLevel.Never, skipHover: true })
  const type: typeof person.type = async (element, text, options) => {
    if (options || /[{[\n]/.test(text) || element.matches('[role="combobox"]'))
      return person.type(element, text, options)
    const keys = text.includes('://') ? 1 : 0
    if (keys > 0) await person.type(element, text.slice(0, keys))
    else await person.click(element)
    if (text.length > keys) await person.paste(text.slice(keys))
  }
  return { ...person, type }
}
