import { useMediaQuery } from '@mantine/hooks'

/** The specification's phone width. */
const phoneQuery = '(max-width: 600px)'

/** From the first render on: nothing is drawn for a wide screen first and moved afterwards. */
export const useMatches = (query: string): boolean =>
  useMediaQuery(query, undefined, { getInitialValueInEffect: false })

export const useIsPhone = (): boolean => useMatches(phoneQuery)
