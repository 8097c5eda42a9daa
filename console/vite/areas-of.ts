/** Returns the text areas that a route's source names in `loadAreas`. */
export const areasOf = (route: string): string[] =>
  [...(/loadAreas\(([^)]*)\)/.exec(route)?.[1]?.matchAll(/'([\w-]+)'/g) ?? [])].map(([, area = '']) => area)
