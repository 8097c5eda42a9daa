import { checkedModelName, type UsageFilter } from '../../platform/store/usage-conditions'
import type { Catalog } from './catalog'

/**
 * Returns the conditions of a model name filter for the log and its rollups. Rows hold the name the caller used, so a model that channels
 * serve behind a prefix is found under its prefixed names and under its own, which stands for all of them.
 * @throws AppError `param.invalid` when the pattern has too many wildcards for a quick query.
 */
export function modelFilter(
  pattern: string | undefined,
  { channels }: Pick<Catalog, 'channels'>,
): Pick<UsageFilter, 'modelName' | 'modelNames'> {
  const name = checkedModelName(pattern)
  if (name === undefined || name.includes('%')) return { modelName: name }
  const names = namesOfModel(name, { channels })
  return names.length === 1 ? { modelName: name } : { modelNames: names }
}

/** Returns a model's own name, then its names with the prefix of each channel that serves it. */
export function namesOfModel(name: string, { channels }: Pick<Catalog, 'channels'>): string[] {
  const names = new Set([name])
  for (const { modelPrefix, models } of channels.values()) {
    if (modelPrefix !== '' && models.includes(name)) names.add(modelPrefix + name)
  }
  return [...names]
}
