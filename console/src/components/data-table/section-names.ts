/** Returns the section heading above each row: the name of its section for the first row of one. */
export const sectionNames = <Row>(
  rows: readonly Row[],
  sectionOf: ((row: Row) => string) | undefined,
): readonly (string | undefined)[] => {
  const names = sectionOf && rows.map(sectionOf)
  return rows.map((_, index) => (names?.[index] === names?.[index - 1] ? undefined : names?.[index]))
}
