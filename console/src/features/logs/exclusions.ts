import * as z from 'zod'

/** The filters whose values can be left out as well. */
export const excludable = ['model', 'channel', 'username', 'token', 'group', 'error'] as const
export type Excludable = (typeof excludable)[number]

/** As many as the call takes. */
const mostValues = 20

const values = z
  .array(z.union([z.string(), z.number()]).transform(String))
  .min(1)
  .max(mostValues)
  .optional()
  .catch(undefined)

/** What is left out, by filter; channels by id. */
export const Exclusions = z.object({
  model: values,
  channel: values,
  username: values,
  token: values,
  group: values,
  error: values,
})
export type Exclusions = z.output<typeof Exclusions>

/** One value by which the log can be filtered. */
export interface FilterValue {
  readonly name: Excludable
  readonly value: string
}

interface Filtered extends Partial<Record<Excludable, string | number | undefined>> {
  readonly not?: Exclusions
}

/** Returns the change that keeps nothing but rows with the value. */
export const including = ({ not }: Filtered, chosen: FilterValue) => ({
  [chosen.name]: chosen.name === 'channel' ? Number(chosen.value) : chosen.value,
  not: kept(not, chosen),
})

/** Returns the change that leaves out rows with the value. */
export function excluding(search: Filtered, chosen: FilterValue) {
  const { name, value } = chosen
  const others = kept(search.not, chosen)
  const isOnlyThat = search[name]?.toString() === value
  return {
    ...(isOnlyThat && { [name]: undefined }),
    not: { ...others, [name]: [...(others?.[name] ?? []), value].slice(-mostValues) },
  }
}

/** Returns the exclusions without one value; undefined when none is left. */
export function kept(not: Exclusions | undefined, { name, value }: FilterValue): Exclusions | undefined {
  const others = not?.[name]?.filter((other) => other !== value)
  const rest = { ...not, [name]: others?.length ? others : undefined }
  return excludable.some((other) => rest[other] !== undefined) ? rest : undefined
}

/** Every value that is left out, in the order in which the filters are offered. */
export const excludedValues = (not: Exclusions = {}): readonly FilterValue[] =>
  excludable.flatMap((name) => (not[name] ?? []).map((value) => ({ name, value })))
