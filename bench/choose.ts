/** What can be asked for by name. */
interface Choosable {
  readonly name: string
  readonly scenarios?: readonly string[]
  readonly isLong?: boolean
}

export interface Choice<Part> {
  readonly parts: readonly Part[]
  isSelected(scenario: string): boolean
}

/**
 * The named parts, and those with named scenarios; without names all that are not long, and the long ones when told so.
 * @throws Error for a name that nothing has.
 */
export function choose<Part extends Choosable>(
  parts: readonly Part[],
  names: readonly string[] | null,
  withLong: boolean,
): Choice<Part> {
  if (names === null)
    return { parts: parts.filter(({ isLong = false }) => withLong || !isLong), isSelected: () => true }
  const named = new Set(names)
  const known = new Set(parts.flatMap(({ name, scenarios = [] }) => [name, ...scenarios]))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`Neither a part nor a scenario: ${unknown.join(', ')}`)
  const selected = new Set(
    parts.flatMap(({ name, scenarios = [] }) =>
      named.has(name) ? scenarios : scenarios.filter((one) => named.has(one)),
    ),
  )
  return {
    parts: parts.filter(({ name, scenarios = [] }) => named.has(name) || scenarios.some((one) => selected.has(one))),
    isSelected: (scenario) => selected.has(scenario),
  }
}
