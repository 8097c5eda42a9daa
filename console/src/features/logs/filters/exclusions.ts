import * as z from 'zod'

/** Filters that support exclusion. */
export const excludable = ['model', 'channel', 'username', 'token', 'group', 'error'] as const
export type Excludable = (typeof excludable)[number]

/** The maximum that the call accepts. */
const maxValues = 20

const values = z
  .array(z.union([z.string(), z.number()]).transform(String))
  .min(1)
  .max(maxValues)
  .optional()
  .catch(undefined)

/** Excluded values by filter; channels by id. */
export const Exclusions = z.object({
  model: values,
  channel: values,
  username: values,
  token: values,
  group: values,
  error: values,
})
export type Exclusions = z.output<typeof Exclusions>

/** A value that the log can be filtered by. */
export interface FilterValue {
  readonly name: Excludable
  readonly value: string
}

interface Filtered extends Partial<Record<Excludable, string | number | undefined>> {
  readonly not?: Exclusions
}

/** Returns the change that keeps only rows with the value. */
export const including = ({ not }: Filtered, chosen: FilterValue) => ({
  [chosen.name]: chosen.name === 'channel' ? Number(chosen.value) : chosen.value,
  not: removeExclusion(not, chosen),
})

/** Returns the change that excludes rows with the value. */
export function excluding(search: Filtered, chosen: FilterValue) {
  const { name, value } = chosen
  const others = removeExclusion(search.not, chosen)
  const isOnlyThat = search[name]?.toString() === value
  return {
    ...(isOnlyThat && { [name]: undefined }),
    not: { ...others, [name]: [...(others?.[name] ?? []), value].slice(-maxValues) },
  }
}

/** Returns the exclusions without one value; undefined when none is left. */
export function removeExclusion(not: Exclusions | undefined, { name, value }: FilterValue): Exclusions | undefined {
  const others = not?.[name]?.filter((other) => other !== value)
  const rest = { ...not, [name]: others?.length ? others : undefined }
  return excludable.some((other) => rest[other] !== undefined) ? rest : undefined
}

/** Returns every excluded value in the order of the filters. */
export const excludedValues = (not: Exclusions = {}): readonly FilterValue[] =>
  excludable.flatMap((name) => (not[name] ?? []).map((value) => ({ name, value })))
