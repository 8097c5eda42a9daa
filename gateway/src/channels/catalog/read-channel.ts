import { ChannelSetting, channelRoutes, channelSettingOf, channelStatus, fittingFields } from '@tollgate/contract'
import { providerOf, providers, type Provider } from '@tollgate/providers'

import type { ChannelRow } from '../../platform/store/tables'
import type { Seal } from '../../platform/store/seal'
import type { Channel, ChannelKey } from './catalog'
import { withSecrets } from './channel-secrets'
import { channelKeys, parseKeyStates } from './channel-keys'
import { objectOfText, parseModelMapping, parseStatusCodeMapping, partsOf, type ModelList } from './channel-texts'

/** The columns a snapshot needs; counters and test results change often and are left out. */
export const channelColumns = [
  'id',
  'type',
  'key_sealed',
  'secrets_sealed',
  'key_states',
  'status',
  ...channelRoutes.channelFieldNames,
] as const satisfies readonly (keyof ChannelRow)[]

export type CatalogRow = Pick<ChannelRow, (typeof channelColumns)[number]>

/** A channel with the list its models are looked up in. */
export interface ListedChannel {
  readonly channel: Channel
  readonly list: ModelList
}

export interface ReadTools {
  /** Decrypts what is sealed in a channel's row. */
  readonly open: Seal['open']
  /** Called with what a row contains that cannot be used. */
  readonly report: (channelId: number, problem: string) => void
  /** One list for all channels with the same text. */
  readonly listOf: (text: string) => ModelList
}

/**
 * Builds a channel from its row, or null when no vendor has its type. Never throws: a part that cannot be read is reported and left out,
 * and a channel whose key cannot be decrypted has no keys.
 */
export function readChannel(stored: CatalogRow, tools: ReadTools): ListedChannel | null {
  const provider = providerOf(stored.type)
  if (!provider) {
    tools.report(stored.id, `no vendor has the type ${stored.type}`)
    return null
  }
  const read = <Value>(part: string, otherwise: Value, parse: () => Value): Value => {
    try {
      return parse()
    } catch (error) {
      tools.report(stored.id, `${part}: ${error instanceof Error ? error.message : String(error)}`)
      return otherwise
    }
  }
  const row = read('credentials', stored, () => withSecrets(stored, tools))
  const keys = read<readonly ChannelKey[]>('key', [], () =>
    channelKeys(tools.open(row.key_sealed, `channels.key_sealed#${row.id}`), provider, parseKeyStates(row.key_states)),
  )
  const list = tools.listOf(row.models)
  const channel: Channel = {
    id: row.id,
    name: row.name,
    provider,
    isEnabled: row.status === channelStatus.enabled,
    status: row.status,
    keys,
    baseUrl: (row.base_url || (provider.baseUrl ?? '')).replace(/(?<!\/)\/+$/, ''),
    other: row.other,
    organization: row.openai_organization,
    groups: partsOf(row.group),
    get models() {
      return list.names
    },
    modelPrefix: row.model_prefix,
    modelMapping: read<Channel['modelMapping']>('model_mapping', new Map(), () => parseModelMapping(row.model_mapping)),
    statusCodeMapping: read<Channel['statusCodeMapping']>('status_code_mapping', new Map(), () =>
      parseStatusCodeMapping(row.status_code_mapping),
    ),
    paramOverride: read('param_override', null, () => objectOfText(row.param_override)),
    systemPrompt: row.system_prompt,
    setting: read('setting', {}, () => parseSetting(row.setting, provider)),
    maxInputTokens: row.max_input_tokens,
    priority: row.priority,
    weight: row.weight,
    tag: row.tag,
    autoBan: row.auto_ban === 1,
    testModel: row.test_model,
  }
  return { channel, list }
}

const noSetting: ChannelSetting = {}

const schemas = new Map(providers.map((provider) => [provider, channelSettingOf(provider.fields)]))

/**
 * Values of the wrong type count as absent; unknown keys, which earlier releases accepted, are left out.
 * @throws SyntaxError or TypeError when the text is not a JSON object.
 */
function parseSetting(text: string, provider: Provider): ChannelSetting {
  const value = objectOfText(text)
  return value === null ? noSetting : fittingFields(schemas.get(provider) ?? ChannelSetting, value)
}
