/** Returns for each row the name that stands above it: that of its section, where it is the first of one. */
export const sectionNames = <Row>(
  rows: readonly Row[],
  sectionOf: ((row: Row) => string) | undefined,
): readonly (string | undefined)[] => {
  const names = sectionOf && rows.map(sectionOf)
  return rows.map((_, index) => (names?.[index] === names?.[index - 1] ? undefined : names?.[index]))
}
