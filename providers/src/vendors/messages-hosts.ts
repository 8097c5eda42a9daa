import {
  asOwnFunction,
  billingNote,
  claudeTraits,
  withoutBillingNote,
  withoutShortWords,
  withoutTurnSettings,
} from '@tollgate/dialects'

import { memberPaths } from '../member-path'
import type { Target } from '../provider'
import { type Refused, withoutRefused } from '../refused'
import { type Change, mapObjects } from '../shape'
import { type Betas, cacheMarks, takes, withTakenBetas } from './anthropic-betas'

/** What a host of Messages other than Anthropic takes of it. */
interface MessagesHost {
  /** Absent: it ignores those that it does not know. */
  readonly betas?: Betas
  readonly refusalsOf?: (model: string) => Refused
  /** Whether a model keeps the tools for a screen that Anthropic's own address refuses for it. */
  readonly keepsComputer?: (model: string) => boolean
  /** It calls the MCP servers of requests. */
  readonly callsServers?: true
}

/** All of Claude's hosts take it. https://platform.claude.com/docs/en/build-with-claude/effort-per-message */
const turnEffort = 'mid-conversation-output-config-2026-07-01'
/** Claude Code's name for it, which no host documents. */
const effortInTurn = { 'per-turn-control-2026-07-01': turnEffort }
/** Clouds know tool search by its first name alone. */
const inCloud = { ...effortInTurn, 'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19' }

/** Before these, clouds took no lifetime of cached prompts, and no arguments of tools in pieces. Names may stand behind a region. */
const before45 = /claude-(?:[123]\b|(?:opus|sonnet|haiku)-4-(?:[01](?!\d)|\d{8}))/
const before46 = /claude-(?:[123]\b|(?:opus|sonnet|haiku)-4-(?:[015](?!\d)|\d{8}))/

const cloudMembers = memberPaths(
  'service_tier',
  'container',
  'inference_geo',
  'diagnostics',
  'tools[].allowed_callers',
  'messages[].content[].caller',
)
const lifetimes = memberPaths(...cacheMarks.map((mark) => `${mark}.ttl`))
const eager = memberPaths('tools[].eager_input_streaming')

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html; any other beta is refused. */
const bedrock: MessagesHost = {
  betas: takes(
    [
      'compact-2026-01-12',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      'context-management-2025-06-27',
      'dangerous-tool-use-2026-09-03',
      'effort-2025-11-24',
      'fine-grained-tool-streaming-2025-05-14',
      'interleaved-thinking-2025-05-14',
      'mid-conversation-output-config-2026-07-01',
      'mid-conversation-tool-changes-2026-07-01',
      'thinking-binding-controls-2026-08-01',
      'thinking-display-updates-2026-08-18',
      'tool-examples-2025-10-29',
      'tool-search-tool-2025-10-19',
    ],
    inCloud,
  ),
  refusalsOf: (model) => ({
    members: [...cloudMembers, ...(before46.test(model) ? eager : []), ...(before45.test(model) ? lifetimes : [])],
    tools: /^(?:web_search|web_fetch|code_execution|mcp_toolset|advisor)(?:_|$)/,
  }),
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude; any other beta is refused. */
const vertex: MessagesHost = {
  betas: takes(
    [
      'compact-2026-01-12',
      'compact-2026-09-04',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      'context-management-2025-06-27',
      'dangerous-tool-use-2026-09-03',
      'interleaved-thinking-2025-05-14',
      'mid-conversation-output-config-2026-07-01',
      'thinking-binding-controls-2026-08-01',
      'thinking-display-updates-2026-08-18',
      'tool-search-tool-2025-10-19',
      'web-search-2025-03-05',
    ],
    inCloud,
  ),
  refusalsOf: () => ({
    members: [...cloudMembers, ...eager],
    tools: /^(?:web_fetch|code_execution|mcp_toolset|advisor)(?:_|$)/,
  }),
}

/** Amazon's address that is compatible with Anthropic's. https://docs.aws.amazon.com/bedrock/latest/userguide/computer-use.html */
const mantle: MessagesHost = {
  keepsComputer: () => true,
  betas: takes(
    [
      'claude-code-20250219',
      'compact-2026-01-12',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      'context-management-2025-06-27',
      'dangerous-tool-use-2026-09-03',
      'effort-2025-11-24',
      'fine-grained-tool-streaming-2025-05-14',
      'interleaved-thinking-2025-05-14',
      'mid-conversation-output-config-2026-07-01',
      'output-128k-2025-02-19',
      'structured-outputs-2025-11-13',
      'thinking-binding-controls-2026-08-01',
      'thinking-display-updates-2026-08-18',
      'token-efficient-tools-2025-02-19',
      'tool-examples-2025-10-29',
      'tool-search-tool-2025-10-19',
      'web-search-2025-03-05',
    ],
    inCloud,
  ),
  refusalsOf: () => ({ members: cloudMembers, tools: /^(?:web_fetch|code_execution|mcp_toolset|advisor)(?:_|$)/ }),
}

/** https://learn.microsoft.com/azure/ai-foundry/foundry-models/how-to/use-foundry-models-claude */
const foundry: MessagesHost = {
  callsServers: true,
  keepsComputer: (model) => !/claude-(?:fable|mythos)/.test(model),
  betas: takes(
    [
      'advanced-tool-use-2025-11-20',
      'code-execution-2025-08-25',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      'context-management-2025-06-27',
      'dangerous-tool-use-2026-09-03',
      'effort-2025-11-24',
      'files-api-2025-04-14',
      'interleaved-thinking-2025-05-14',
      'mcp-client-2025-04-04',
      'mcp-client-2025-11-20',
      'mid-conversation-output-config-2026-07-01',
      'prompt-caching-scope-2026-01-05',
      'skills-2025-10-02',
      'structured-outputs-2025-11-13',
      'thinking-display-updates-2026-08-18',
      'web-fetch-2025-09-10',
      'web-search-2025-03-05',
    ],
    effortInTurn,
  ),
}

/** It searches the web itself, and has none of Anthropic's other tools. https://api-docs.deepseek.com/guides/anthropic_api */
const deepSeek: MessagesHost = {
  refusalsOf: () => ({
    tools:
      /^(?:web_fetch|code_execution|computer|browser|bash|memory|text_editor|tool_search_tool|mcp_toolset|advisor)(?:_|$)/,
  }),
}

/** https://platform.kimi.ai/docs/guide/agent-support */
const kimi: MessagesHost = { refusalsOf: () => ({ tools: /^tool_search(?:_|$)/ }) }

/** GLM, MiniMax and DashScope ignore what they do not know. */
const lenient: MessagesHost = {}

/** Hosts that channels of Anthropic's type name by their address. */
const hosts: readonly (readonly [address: RegExp, host: MessagesHost])[] = [
  [/^https:\/\/bedrock-mantle\.[\w-]+\.api\.aws(?:\/|$)/, mantle],
  [/^https:\/\/[\w-]+\.services\.ai\.azure\.com(?:\/|$)/, foundry],
  [/^https:\/\/api\.deepseek\.com\//, deepSeek],
  [/^https:\/\/(?:[\w-]+\.)*(?:z\.ai|bigmodel\.cn|minimaxi?\.(?:io|com)|minimax\.chat|aliyuncs\.com)(?:\/|$)/, lenient],
  [/^https:\/\/api\.(?:moonshot\.(?:cn|ai)|kimi\.com)\//, kimi],
]

/** Returns the betas that a host takes, by its address; undefined: all. */
export const betasAt = (baseUrl: string): Betas | undefined => hostAt(baseUrl)?.betas

/** Returns whether an address is that of a host other than Anthropic. */
export const isMessagesHost = (baseUrl: string): boolean => hostAt(baseUrl) !== undefined

/** Returns whether a host does not call the MCP servers of requests. An unknown address may be Anthropic's by another name. */
export function lacksServersAt({ baseUrl }: Pick<Target, 'baseUrl'>): boolean {
  const host = hostAt(baseUrl)
  return host !== undefined && host.callsServers !== true
}

const hostAt = (baseUrl: string): MessagesHost | undefined => hosts.find(([address]) => address.test(baseUrl))?.[1]

/**
 * Has the client's tool for a screen be a function to models that refuse it by its type: they call it as before.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool
 */
export const withComputerFunction: Change = (body, { model, baseUrl }, warn) => {
  if (!claudeTraits(model).needsComputerToolset || hostAt(baseUrl)?.keepsComputer?.(model)) return body
  return mapObjects(body, 'tools', (tool) => {
    const { type } = tool
    if (typeof type !== 'string' || !type.startsWith('computer_2')) return tool
    warn(`the type ${type}, which is a function`)
    return asOwnFunction(tool)
  })
}

const leaveOutBillingNote: Change = (body, _target, warn) => {
  const left = withoutBillingNote(body)
  if (left !== body) warn(billingNote)
  return left
}

/** Words for one turn alone are Anthropic's. */
const leaveOutTurnSettings =
  (takesEfforts = false): Change =>
  (body) =>
    takesEfforts ? withoutShortWords(body) : withoutTurnSettings(body)

function limits({ betas, refusalsOf }: MessagesHost): Change {
  const changes = [
    leaveOutBillingNote,
    leaveOutTurnSettings(betas?.has(turnEffort)),
    ...(betas ? [withTakenBetas(betas)] : []),
    ...(refusalsOf ? [withoutRefused(refusalsOf)] : []),
  ]
  return (body, target, warn) => changes.reduce((current, change) => change(current, target, warn), body)
}

const limitsOf = new Map(hosts.map(([, host]) => [host, limits(host)]))

/** Returns what leaves out the parts that the host at an address refuses; undefined: it takes all. */
export function messagesLimitsAt(baseUrl: string): Change | undefined {
  const host = hostAt(baseUrl)
  return host && limitsOf.get(host)
}

export const bedrockBetas: Betas = bedrock.betas ?? new Map()
export const withinBedrock = limits(bedrock)
export const vertexBetas: Betas = vertex.betas ?? new Map()
export const withinVertex = limits(vertex)
