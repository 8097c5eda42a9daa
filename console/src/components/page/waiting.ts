import { useLayoutEffect } from 'react'

let placeholders = 0

/**
 * Marks the page while a placeholder stands where its content will be. A selector with `:has()` would know by itself, but browsers compute the
 * style of the whole page again with every change for it.
 */
export const usePlaceholder = (): void =>
  useLayoutEffect(() => {
    const add = (count: 1 | -1) => document.body.toggleAttribute('data-is-waiting', (placeholders += count) > 0)
    add(1)
    return () => void add(-1)
  }, [])
