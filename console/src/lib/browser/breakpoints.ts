import { useMediaQuery } from '@mantine/hooks'

/** The specification's phone width. */
const phoneQuery = '(max-width: 600px)'

/** Correct on the first render, so that nothing moves afterwards. */
export const useMatches = (query: string): boolean =>
  useMediaQuery(query, undefined, { getInitialValueInEffect: false })

/** Below it, a table and a row's details do not fit side by side. */
const overlayQuery = '(max-width: 1199px)'

/** Up to it, the menu starts as icons. */
const tabletQuery = '(max-width: 1024px)'

/** Up to it, nothing is beside the content of a page. */
const narrowQuery = '(max-width: 900px)'

export const useIsNarrow = (): boolean => useMatches(narrowQuery)

export const useIsTablet = (): boolean => useMatches(tabletQuery)

export const useIsOverlay = (): boolean => useMatches(overlayQuery)

export const useIsPhone = (): boolean => useMatches(phoneQuery)
