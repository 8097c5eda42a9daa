import type { ReportedUsage } from '../usage'

const counts = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'cacheWriteHourTokens',
  'imageTokens',
  'audioInputTokens',
  'audioOutputTokens',
  'reasoningTokens',
] as const satisfies readonly (keyof ReportedUsage)[]

/** Returns what two responses with images used together, with what the later one says of itself. */
export function addedUsage(one: ReportedUsage, other: ReportedUsage): ReportedUsage {
  const unreported = one.unreported ?? other.unreported
  return {
    ...other,
    ...Object.fromEntries(counts.map((name) => [name, one[name] + other[name]])),
    ...(unreported !== undefined && { unreported }),
    details: {
      ...one.details,
      ...other.details,
      image_count: (one.details?.image_count ?? 0) + (other.details?.image_count ?? 0),
      ...addedModalities('prompt_modalities', one, other),
      ...addedModalities('completion_modalities', one, other),
    },
  }
}

function addedModalities(
  name: 'prompt_modalities' | 'completion_modalities',
  { details: one }: ReportedUsage,
  { details: other }: ReportedUsage,
) {
  const [first, second] = [one?.[name], other?.[name]]
  if (first === undefined || second === undefined) return {}
  const kinds = [...new Set([...Object.keys(first), ...Object.keys(second)])]
  return { [name]: Object.fromEntries(kinds.map((kind) => [kind, (first[kind] ?? 0) + (second[kind] ?? 0)])) }
}
