import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { isTyping } from '../../lib/browser/is-typing'
import { useViewer } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'
import { pagesFor } from '../pages'

/** What lies over a page on request. */
export type Overlay = 'palette' | 'shortcuts' | 'notice'

/** How long after `g` the next letter counts. */
const jumpWindowMs = 1_200

/** Handles Ctrl/Cmd-K, `?`, `/` and `g` with a letter on every page. */
export function useShortcuts() {
  const [opened, setOpened] = useState<Overlay | undefined>()
  const jumpUntil = useRef(0)
  const navigate = useNavigate()
  const site = useSite()
  const viewer = useViewer()

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        if (!viewer.user) return
        event.preventDefault()
        setOpened((current) => (current === 'palette' ? undefined : 'palette'))
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (performance.now() < jumpUntil.current) {
        jumpUntil.current = 0
        const page = pagesFor(site, viewer).find(({ letter }) => letter === event.key)
        if (page) void navigate({ to: page.path })
      } else if (event.key === 'g') jumpUntil.current = performance.now() + jumpWindowMs
      else if (event.key === '?') setOpened('shortcuts')
      else if (event.key === '/') {
        const field = document.querySelector<HTMLInputElement>('[data-search-field]')
        if (!field) return
        event.preventDefault()
        field.focus()
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [navigate, site, viewer])

  return { opened, open: setOpened, close: () => setOpened(undefined) }
}
