interface Named {
  readonly name: string
}

/** Returns a list of named items with one more, sorted by name; one of the same name is replaced. */
export const withNamed = <T extends Named>(list: readonly T[], added: T): T[] =>
  [...list.filter(({ name }) => name !== added.name), added].toSorted((one, other) =>
    one.name.localeCompare(other.name),
  )
