import { useEffect } from 'react'

const attribute = 'data-mantine-color-scheme'

/** Prints dark on white: browsers omit backgrounds, on which the light text of a dark page depends. */
export function useLightPrint(): void {
  useEffect(() => {
    const root = document.documentElement
    let shown: string | null = null
    const begin = () => {
      shown = root.getAttribute(attribute)
      root.setAttribute(attribute, 'light')
    }
    const end = () => {
      if (shown !== null) root.setAttribute(attribute, shown)
    }
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
}
