import { memberPaths } from '../member-path'
import { developerAsSystem, type Refused, withoutRefused } from '../refused'
import type { Change } from '../shape'

/** What hosts of chat completions refuse that have no channel type of their own, by their address. */
const hosts: readonly (readonly [address: RegExp, refused: Refused])[] = [
  // https://console.groq.com/docs/openai
  [
    /^https:\/\/api\.groq\.com\//,
    { members: memberPaths('logprobs', 'top_logprobs', 'logit_bias', 'messages[].name') },
  ],
]

/** Hosts that know no developer. */
const withoutDeveloper =
  /^https:\/\/(?:[\w-]+\.)*(?:deepseek\.com|moonshot\.(?:cn|ai)|bigmodel\.cn|z\.ai|aliyuncs\.com|deepinfra\.com)(?:\/|$)/

/** Leaves out what the host at the channel's address refuses. */
export const withinHost: Change = (body, target, warn) => {
  const refused = hosts.find(([address]) => address.test(target.baseUrl))?.[1]
  const left = refused ? withoutRefused(() => refused)(body, target, warn) : body
  return withoutDeveloper.test(target.baseUrl) ? developerAsSystem(left, target, warn) : left
}
