import type { channelRoutes } from '@tollgate/contract'

type Vendor = channelRoutes.ChannelType

/** The form of API that an address ends in. */
type ApiForm = 'openai' | 'anthropic' | 'gemini'

/** An address without the call at its end. */
export interface PastedAddress {
  /** Without a version at its end. */
  readonly base: string
  /** `v1`, where the address has a version there. */
  readonly version?: string
  /** Undefined: the address names no call. */
  readonly form?: ApiForm
  /** The model that the address names. */
  readonly model?: string
}

/** The ends of documented calls. */
const calls: readonly (readonly [end: RegExp, form: ApiForm])[] = [
  [
    /\/models\/(?<model>[^/:]+):(?:streamGenerateContent|generateContent|countTokens|embedContent|batchEmbedContents)$/i,
    'gemini',
  ],
  [/\/messages(?:\/count_tokens)?$/i, 'anthropic'],
  [/\/(?:chat\/completions|completions|responses|embeddings|moderations|rerank|models)$/i, 'openai'],
  [/\/(?:images\/(?:generations|edits|variations)|audio\/(?:speech|transcriptions|translations)|realtime)$/i, 'openai'],
]

/** Reads an address as documentation and clients show it, with or without the call and the version. */
export function readAddress(text: string): PastedAddress {
  const address = withoutSlashes(text.trim().replace(/[?#].*$/s, ''))
  for (const [end, form] of calls) {
    const match = end.exec(address)
    if (!match) continue
    const model = match.groups?.['model']
    return { ...withVersion(address.slice(0, match.index)), form, ...(model !== undefined && { model }) }
  }
  return withVersion(address)
}

const withoutSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '')

function withVersion(address: string): PastedAddress {
  const version = /\/(v1(?:beta\d*)?)$/i.exec(address)?.[1]
  return version === undefined
    ? { base: address }
    : { base: withoutSlashes(address.slice(0, -version.length)), version }
}

/** Returns the whole address of a chat, which a channel for any compatible server has. */
export const chatAddress = ({ base, version, form }: PastedAddress): string =>
  `${base}${version !== undefined || form === undefined ? `/${version ?? 'v1'}` : ''}/chat/completions`

/** A vendor and what an address says of a channel to it. */
export interface FoundVendor {
  readonly vendor: Vendor
  /** Empty: the vendor's own address. */
  readonly baseUrl: string
  readonly region?: string
}

/** Returns the vendor whose host an address names: its default one, or another of the same company. */
export function vendorAt({ base }: PastedAddress, vendors: readonly Vendor[]): FoundVendor | undefined {
  const url = URL.parse(base)
  if (!url) return undefined
  const atHost = vendors.flatMap((vendor) => {
    const region = regionAt(url.host.toLowerCase(), vendor)
    return region === undefined ? [] : [{ vendor, baseUrl: '', ...(region !== '' && { region }) }]
  })
  // Several vendors may share a host: an old API and its successor.
  const [first] = atHost
  if (first) return atHost.find(({ vendor }) => vendor.is_popular) ?? first
  if (azureHosts.test(url.host)) {
    const azure = vendors.find(({ id }) => id === 'azure')
    if (azure) return { vendor: azure, baseUrl: url.origin }
  }
  const company = companyOf(base)
  if (company === undefined) return undefined
  const [sibling, ...others] = vendors.filter((vendor) => companyOf(vendor.base_url) === company)
  // A company with several vendors, as Google, says too little.
  if (!sibling || others.length > 0) return undefined
  return { vendor: sibling, baseUrl: `${url.origin}${pathOf(sibling.base_url)}` }
}

const azureHosts = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/i

const regionMark = '{region}'

/** Returns the region that a host of a vendor names; empty: its address has none; undefined: it is another host. */
function regionAt(host: string, { base_url: own }: Vendor): string | undefined {
  const [before = '', after] = (own?.split('/')[2] ?? '').split(regionMark)
  if (before === '' && after === undefined) return undefined
  if (after === undefined) return host === before ? '' : undefined
  const region = host.slice(before.length, host.length - after.length)
  return host === before + region + after && /^[a-z0-9-]+$/.test(region) ? region : undefined
}

/** Returns the name that a company has under every country's domain: `moonshot` of `api.moonshot.ai`. */
function companyOf(address: string | null): string | undefined {
  const host = address === null ? undefined : URL.parse(address.replace(regionMark, 'region'))?.hostname
  return host?.includes('.') ? host.split('.').at(-2) : undefined
}

const pathOf = (address: string | null): string => {
  const path = address === null ? '/' : (URL.parse(address)?.pathname ?? '/')
  return path === '/' ? '' : path
}
