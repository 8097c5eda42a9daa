import type { channelRoutes } from '@tollgate/contract'
import { popularProviders, providers, type Provider } from '@tollgate/providers'

import type { Catalog } from '../../channels/catalog/catalog'
import { suggestedModels } from '../../channels/catalog/suggested-models'

/** Returns the vendors as the channel editor needs them: the popular ones first, then the others by name. */
export const channelTypes = (today: string): channelRoutes.ChannelType[] => [
  ...popularProviders.map((provider) => channelType(provider, true, today)),
  ...providers
    .filter((provider) => !popularProviders.includes(provider))
    .sort((one, other) => one.name.en.localeCompare(other.name.en, 'en'))
    .map((provider) => channelType(provider, false, today)),
]

const channelType = (provider: Provider, isPopular: boolean, today: string): channelRoutes.ChannelType => {
  const { names, retired } = suggestedModels(provider, today)
  return {
    type: provider.type,
    id: provider.id,
    name: provider.name,
    is_popular: isPopular,
    base_url: provider.baseUrl,
    key: { hint: provider.key.hint, several: provider.key.several },
    modes: Object.keys(provider.modes),
    fields: provider.fields.map(({ options, ...field }) => ({
      ...field,
      ...(options && { options: options.map((option) => ({ ...option })) }),
    })),
    models: names,
    retired_models: retired,
    bills_abandoned: provider.billsAbandoned,
    has_model_list: provider.modelList !== undefined,
    has_balance: provider.balance !== undefined,
  }
}

/** Returns all models that vendors suggest, each under the first that does, and those that only channels list. */
export function knownModels({ channels }: Pick<Catalog, 'channels'>, today: string) {
  const owners = new Map<string, string>()
  const add = (model: string, owner: string) => owners.has(model) || owners.set(model, owner)
  for (const provider of providers) for (const model of suggestedModels(provider, today).names) add(model, provider.id)
  for (const { provider, models } of channels.values()) for (const model of models) add(model, provider.id)
  return [...owners].map(([id, owner]) => ({ id, object: 'model' as const, owned_by: owner }))
}

/** Returns the models, as a caller names them, that are served in any group, sorted. */
export function enabledModels({ routes }: Pick<Catalog, 'routes'>): string[] {
  const models = new Set<string>()
  for (const group of routes.values()) for (const model of group.keys()) models.add(model)
  return [...models].sort()
}
