import type { channelRoutes } from '@tollgate/contract'
import type { Provider } from '@tollgate/providers'
import type { Updateable } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { OptionValues } from '../../channels/catalog/catalog'
import type { ChannelsTable } from '../../platform/store/tables/catalog'
import * as rules from './channel-rules'

type Fields = Omit<channelRoutes.NewChannel, 'id' | 'status' | 'copy_from' | 'key'>

export type ChannelColumns = Omit<Updateable<ChannelsTable>, 'id' | 'key_sealed' | 'secrets_sealed' | 'key_states'>

/**
 * Returns the columns for the given fields, in canonical form; null means empty.
 * @throws AppError with the code of the first field that breaks its rule.
 */
export function channelColumns(
  fields: Fields,
  provider: Provider,
  options: Pick<OptionValues, 'GroupRatio'>,
): ChannelColumns {
  const columns: ChannelColumns = {
    type: fields.type,
    name: given(fields.name, checkName),
    models: given(fields.models, rules.checkModels),
    group: given(fields.group, (group) => rules.checkGroups(group, options)),
    base_url: given(fields.base_url, (address) => rules.checkBaseUrl(address, provider)),
    other: given(fields.other, (text) => rules.checkField('other', text, provider)),
    openai_organization: given(fields.openai_organization, (text) =>
      rules.checkField('openai_organization', text, provider),
    ),
    model_mapping: given(fields.model_mapping, rules.checkModelMapping),
    status_code_mapping: given(fields.status_code_mapping, rules.checkStatusCodeMapping),
    setting: given(fields.setting, (text) => rules.checkSetting(text, provider)),
    param_override: given(fields.param_override, rules.checkParamOverride),
    model_prefix: given(fields.model_prefix, (prefix) => prefix.trim()),
    system_prompt: given(fields.system_prompt, (text) => text),
    test_model: given(fields.test_model, (model) => model.trim()),
    max_input_tokens: fields.max_input_tokens === null ? 0 : fields.max_input_tokens,
    priority: fields.priority === undefined ? undefined : rules.checkPriority(fields.priority ?? 0),
    weight: fields.weight === undefined ? undefined : rules.checkWeight(fields.weight ?? 0),
    tag: fields.tag === undefined ? undefined : fields.tag?.trim() || null,
    auto_ban: fields.auto_ban ?? undefined,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

function given(text: string | null | undefined, check: (text: string) => string): string | undefined {
  return text === undefined ? undefined : check(text ?? '')
}

function checkName(name: string): string {
  if (name === '') throw new AppError('channel.name_or_key')
  return name
}
