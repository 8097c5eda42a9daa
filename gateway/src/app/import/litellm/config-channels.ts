import type { SourceChannel } from '../site-source'
import { valueOf, type ConfiguredModel, type LiteLlmConfig } from './config'
import { vendorOf } from './vendors'

type Environment = Readonly<Record<string, string | undefined>>

/** What decides where calls go; models that share it are models of one channel. */
interface Destination {
  readonly prefix: string
  readonly type: number | null
  readonly key: string
  readonly baseUrl: string
  readonly other: string
  readonly organization: string
  readonly weight: number
}

interface Gathered extends Destination {
  /** By the name that clients use, the vendor's. */
  readonly models: Map<string, string>
  readonly notes: Set<string>
}

/** Returns the channels of a file, numbered from 1 in its order. */
export function channelsOf(config: LiteLlmConfig, environment: Environment, now: number): SourceChannel[] {
  const channels: Gathered[] = []
  for (const model of config.model_list) {
    const { model: upstream } = vendorOf(model.litellm_params.model)
    const destination = destinationOf(model, environment)
    const channel = channels.find((known) => isSame(known, destination) && !known.models.has(model.model_name))
    const of = channel ?? { ...destination, models: new Map<string, string>(), notes: new Set<string>() }
    if (!channel) channels.push(of)
    of.models.set(model.model_name, upstream)
    for (const note of notesOf(model)) of.notes.add(note)
  }
  return channels.map((channel, index) => toChannel(channel, index + 1, now))
}

const members = ['prefix', 'type', 'key', 'baseUrl', 'other', 'organization', 'weight'] as const
const isSame = (one: Destination, other: Destination): boolean => members.every((name) => one[name] === other[name])

const [azure, bedrock, vertex] = [3, 33, 41]
/** LiteLLM asks for a key where a server on the same machine needs none. */
const needsNoKey: ReadonlySet<string> = new Set([
  'ollama',
  'ollama_chat',
  'hosted_vllm',
  'vllm',
  'lm_studio',
  'llamafile',
])

function destinationOf({ litellm_params: params }: ConfiguredModel, environment: Environment): Destination {
  const { vendor, prefix } = vendorOf(params.model)
  const read = (text: string | undefined) => valueOf(text, environment)
  const baseUrl = (read(params.api_base) || read(params.base_url)).replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')
  const type = vendor?.type ?? null
  return {
    prefix,
    type,
    key: keyOf(params, type, read) || (needsNoKey.has(prefix) ? 'none' : ''),
    baseUrl: baseUrl || (vendor?.baseUrl ?? ''),
    other: type === azure ? read(params.api_version) : type === vertex ? read(params.vertex_location) : '',
    organization: read(params.organization),
    weight: Math.max(Math.round(params.weight ?? 1), 0),
  }
}

function keyOf(
  params: ConfiguredModel['litellm_params'],
  type: number | null,
  read: (text: string | undefined) => string,
): string {
  const { vertex_credentials: account } = params
  if (type === vertex)
    return typeof account === 'object' && account !== null
      ? JSON.stringify(account)
      : read(account as string | undefined)
  const [id, secret] = [read(params.aws_access_key_id), read(params.aws_secret_access_key)]
  if (type === bedrock && id !== '') return [id, secret, read(params.aws_region_name)].join('|')
  return read(params.api_key)
}

function* notesOf({ model_name: name, litellm_params: { rpm, tpm, model } }: ConfiguredModel): Generator<string> {
  if (rpm !== undefined || tpm !== undefined)
    yield 'rpm and tpm of models are limits of the channel here: set them there'
  if (name.includes('*') || model.includes('*')) yield 'names with * are not patterns here: write the models out'
}

const toChannel = ({ models, notes, ...destination }: Gathered, id: number, now: number): SourceChannel => {
  const { prefix, type, key, baseUrl, other, organization, weight } = destination
  const mapped = [...models].filter(([name, upstream]) => name !== upstream)
  const names = [...models.keys()].filter((name) => !name.includes('*'))
  return {
    id,
    sourceType: prefix,
    type,
    name: [prefix, names[0]].filter(Boolean).join(' '),
    keys: key === '' ? [] : [{ value: key, isEnabled: true, reason: '', disabledAt: 0 }],
    status: 1,
    disabledReason: '',
    disabledAt: 0,
    fields: {
      base_url: baseUrl,
      models: names.join(','),
      weight,
      other,
      openai_organization: organization,
      model_mapping: mapped.length === 0 ? '' : JSON.stringify(Object.fromEntries(mapped)),
    },
    usedQuota: 0,
    balance: 0,
    balanceAt: 0,
    responseMs: 0,
    testedAt: 0,
    createdAt: now,
    notes: [...(type === null ? [`the vendor ${prefix} is unknown here`] : []), ...notes],
    fault: null,
  }
}
