/** The areas of texts that the source of a route says its page needs, by `loadAreas`. */
export const areasOf = (route: string): string[] =>
  [...(/loadAreas\(([^)]*)\)/.exec(route)?.[1]?.matchAll(/'([\w-]+)'/g) ?? [])].map(([, area = '']) => area)
