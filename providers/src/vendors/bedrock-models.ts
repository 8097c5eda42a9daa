/** A model's id at Bedrock without a zone, and the zones it can be called in across regions. */
type Known = readonly [id: string, zones: readonly Zone[]]
type Zone = 'us' | 'eu' | 'apac' | 'jp' | 'au' | 'global'

const olderZones = ['us', 'eu', 'apac'] as const
const newerZones = ['us', 'eu', 'jp', 'au', 'global'] as const

/** https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html */
const known: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['claude-opus-5-5', ['anthropic.claude-opus-5-5', ['us', 'jp', 'au', 'global']]],
  ['claude-sonnet-5-5', ['anthropic.claude-sonnet-5-5', ['us', 'global']]],
  ['claude-fable-5-1', ['anthropic.claude-fable-5-1', ['global']]],
  ['claude-opus-5', ['anthropic.claude-opus-5', ['global']]],
  ['claude-sonnet-5', ['anthropic.claude-sonnet-5', ['global']]],
  ['claude-opus-4-8', ['anthropic.claude-opus-4-8', ['us', 'eu', 'jp', 'global']]],
  ['claude-opus-4-7', ['anthropic.claude-opus-4-7', ['us', 'eu', 'jp', 'global']]],
  ['claude-opus-4-6', ['anthropic.claude-opus-4-6-v1', ['us', 'eu', 'au', 'global']]],
  ['claude-sonnet-4-6', ['anthropic.claude-sonnet-4-6', newerZones]],
  ['claude-opus-4-5-20251101', ['anthropic.claude-opus-4-5-20251101-v1:0', ['us', 'eu', 'global']]],
  ['claude-sonnet-4-5-20250929', ['anthropic.claude-sonnet-4-5-20250929-v1:0', newerZones]],
  ['claude-haiku-4-5-20251001', ['anthropic.claude-haiku-4-5-20251001-v1:0', newerZones]],
  ['claude-opus-4-1-20250805', ['anthropic.claude-opus-4-1-20250805-v1:0', ['us']]],
  ['claude-opus-4-20250514', ['anthropic.claude-opus-4-20250514-v1:0', ['us']]],
  ['claude-sonnet-4-20250514', ['anthropic.claude-sonnet-4-20250514-v1:0', [...olderZones, 'global']]],
  ['claude-3-7-sonnet-20250219', ['anthropic.claude-3-7-sonnet-20250219-v1:0', olderZones]],
  ['claude-3-5-haiku-20241022', ['anthropic.claude-3-5-haiku-20241022-v1:0', ['us']]],
  ['claude-3-5-sonnet-20241022', ['anthropic.claude-3-5-sonnet-20241022-v2:0', ['us', 'apac']]],
  ['claude-3-5-sonnet-20240620', ['anthropic.claude-3-5-sonnet-20240620-v1:0', olderZones]],
  ['claude-3-opus-20240229', ['anthropic.claude-3-opus-20240229-v1:0', ['us']]],
  ['claude-3-sonnet-20240229', ['anthropic.claude-3-sonnet-20240229-v1:0', olderZones]],
  ['claude-3-haiku-20240307', ['anthropic.claude-3-haiku-20240307-v1:0', olderZones]],
  ['claude-2.1', ['anthropic.claude-v2:1', []]],
  ['claude-2.0', ['anthropic.claude-v2', []]],
  ['claude-instant-1.2', ['anthropic.claude-instant-v1', []]],
])

/** Ids without a date, which all models since Opus 4.7 have. */
const undated = /^claude-[a-z]+-\d+(?:-\d{1,2})?$/

/** The names Anthropic gives the models that Bedrock is known to have. */
export const bedrockModels: readonly string[] = [...known.keys()]

/** The id of a model in a region, across regions where that is possible. Names of Bedrock's own stay as they are. */
export function bedrockId(model: string, region: string): string {
  const [id, zones] =
    known.get(model) ?? (undated.test(model) ? ([`anthropic.${model}`, ['global']] as const) : [model, []])
  const zone = zonesOf(region).find((one) => zones.includes(one))
  return zone === undefined ? id : `${zone}.${id}`
}

/** The zones a region belongs to, the nearest first. */
function zonesOf(region: string): readonly Zone[] {
  if (region.startsWith('us-gov-')) return []
  if (region.startsWith('us-')) return ['us', 'global']
  if (region.startsWith('eu-')) return ['eu', 'global']
  if (!region.startsWith('ap-')) return ['global']
  if (region === 'ap-northeast-1' || region === 'ap-northeast-3') return ['jp', 'apac', 'global']
  if (region === 'ap-southeast-2' || region === 'ap-southeast-4') return ['au', 'apac', 'global']
  return ['apac', 'global']
}
