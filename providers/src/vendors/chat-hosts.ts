import { memberPaths } from '../member-path'
import { developerAsSystem, withoutRefused } from '../refused'
import type { Change } from '../shape'

/** What hosts of chat completions refuse that have no channel type of their own, by their address. */
const hosts: readonly (readonly [address: RegExp, change: Change])[] = [
  // https://console.groq.com/docs/openai
  [
    /^https:\/\/api\.groq\.com\//,
    withoutRefused(() => ({ members: memberPaths('logprobs', 'top_logprobs', 'logit_bias', 'messages[].name') })),
  ],
  [
    /^https:\/\/(?:[\w-]+\.)*(?:deepseek\.com|moonshot\.(?:cn|ai)|bigmodel\.cn|z\.ai|aliyuncs\.com|deepinfra\.com)(?:\/|$)/,
    developerAsSystem,
  ],
]

/** Returns what leaves out the parts that the host at an address refuses; undefined: it takes all. */
export const chatLimitsAt = (baseUrl: string): Change | undefined =>
  hosts.find(([address]) => address.test(baseUrl))?.[1]
