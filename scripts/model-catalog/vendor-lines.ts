import { modelKeys, type ModelKind } from '@tollgate/models'

import type { Listing } from './sources'

/** Whose names a channel form suggests: hosts as the sources call them, and what the vendor's channels serve. */
interface Form {
  readonly hosts: readonly string[]
  readonly kinds: readonly ModelKind[]
}

/** Vendors by their ids. Gateways of very many vendors, and clouds with names of their own, are asked for their lists instead. */
const forms: Readonly<Record<string, Form>> = {
  openai: { hosts: ['openai', 'text-completion-openai'], kinds: ['chat', 'completion', 'embedding', 'moderation'] },
  anthropic: { hosts: ['anthropic'], kinds: ['chat'] },
  gemini: { hosts: ['google', 'gemini'], kinds: ['chat', 'embedding'] },
  mistral: { hosts: ['mistral'], kinds: ['chat', 'embedding'] },
  deepseek: { hosts: ['deepseek'], kinds: ['chat'] },
  xai: { hosts: ['xai'], kinds: ['chat'] },
  moonshot: { hosts: ['moonshotai', 'moonshotai-cn', 'moonshot'], kinds: ['chat'] },
  minimax: { hosts: ['minimax', 'minimax-cn'], kinds: ['chat'] },
  cohere: { hosts: ['cohere', 'cohere_chat'], kinds: ['chat', 'embedding', 'rerank'] },
  dashscope: { hosts: ['alibaba-cn', 'alibaba', 'dashscope'], kinds: ['chat', 'embedding'] },
  siliconflow: { hosts: ['siliconflow-cn', 'siliconflow'], kinds: ['chat', 'embedding', 'rerank'] },
  cloudflare: { hosts: ['cloudflare-workers-ai'], kinds: ['chat', 'embedding'] },
}

/** Returns one line a vendor: its id and the models that its hosts list, without retired ones, snapshots and those not for sale. */
export function vendorLines(
  listings: readonly Listing[],
  { isSold, isRetired }: Readonly<Record<'isSold' | 'isRetired', (name: string) => boolean>>,
): string[] {
  return Object.entries(forms).map(([id, { hosts, kinds }]) => {
    const listed = listings.filter(
      ({ host, kind, output }) =>
        hosts.includes(host) && kinds.includes(kind) && (kind !== 'chat' || output.includes('text')),
    )
    const names = new Set(listed.map((listing) => ownName(listing, hosts)))
    const known = new Set([...names].map((name) => name.toLowerCase()))
    const isSnapshot = (name: string) => [...modelKeys(name)].slice(1).some((shorter) => known.has(shorter))
    const retained = [...names].filter(
      (name) => /^[^\s,*:]+$/.test(name) && !isSnapshot(name) && isSold(name) && !isRetired(name),
    )
    return [id, ...retained.sort()].join(' ')
  })
}

/** LiteLLM puts the host before the name: `xai/grok-4`. */
const ownName = ({ name, host }: Listing, hosts: readonly string[]): string =>
  [host, ...hosts].reduce(
    (rest, prefix) => (rest.startsWith(`${prefix}/`) ? rest.slice(prefix.length + 1) : rest),
    name,
  )
