import {
  type FunctionTool,
  type Message,
  type NeutralCall,
  searchTool,
  type Tool,
  type ToolChoice,
} from '../../core/neutral/call'
import { objectOf, textsOf } from '../../core/neutral/read'

/** How far a chat has come whose searches are run for it. */
export interface SearchProgress {
  /** What the model said and read in the rounds before, behind the client's messages. */
  readonly messages: readonly Message[]
  /** Output tokens of the rounds before, which the client's limit covers. */
  readonly usedTokens: number
  /** The model may search no more. */
  readonly isLast: boolean
}

export const firstRound: SearchProgress = { messages: [], usedTokens: 0, isLast: false }

/** With fewer tokens no round has content, and some vendors refuse it. */
const minTokens = 16

/** Returns the name of the function by which the model asks for a search. */
export const searchNameIn = ({ tools }: Pick<NeutralCall, 'tools'>): string =>
  tools.some((tool) => tool.kind === 'function' && tool.name === usualName) ? otherName : usualName

const usualName = 'web_search'
const otherName = 'gateway_web_search'

/** Returns the call of one round: with a function in place of the vendor's search, and what was said and found before. */
export function withSearchFunction(call: NeutralCall, { messages, usedTokens, isLast }: SearchProgress): NeutralCall {
  const name = searchNameIn(call)
  const isFirst = messages.length === 0
  const { maxTokens } = call.sampling
  return {
    ...call,
    messages: isFirst ? call.messages : [...call.messages, ...messages],
    tools: [...call.tools.filter((tool) => !isSearch(tool)), searchFunction(name)],
    toolChoice: isLast ? { kind: 'none' } : isFirst ? choiceIn(call, name) : { kind: 'auto' },
    ...(maxTokens !== null && {
      sampling: { ...call.sampling, maxTokens: Math.max(Math.min(minTokens, maxTokens), maxTokens - usedTokens) },
    }),
  }
}

const isSearch = (tool: Tool): boolean => tool.kind === 'built-in' && tool.tool === 'web-search'

/** A choice that forces a tool would force it in every round. */
function choiceIn({ toolChoice }: NeutralCall, name: string): ToolChoice | null {
  if (toolChoice?.kind === 'tool' && toolChoice.name === usualName) return { kind: 'tool', name }
  return toolChoice
}

const searchFunction = (name: string): FunctionTool => ({
  kind: 'function',
  name,
  description:
    'Searches the web and returns titles, addresses and excerpts of pages. Use it for what is recent or what you do not know for sure. Name the addresses of the pages that an answer is based on.',
  schema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to search for, as typed into a search engine' } },
    required: ['query'],
    additionalProperties: false,
  },
  isStrict: null,
})

/** What a client says about its searches. */
export interface SearchTerms {
  /** Hosts of pages. Empty: any. */
  readonly allowed: readonly string[]
  readonly blocked: readonly string[]
}

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool https://platform.openai.com/docs/guides/tools-web-search */
export function searchTermsOf({ tools }: Pick<NeutralCall, 'tools'>): SearchTerms {
  const options = searchTool(tools)?.own.value ?? {}
  const filters = objectOf(options['filters'])
  return {
    allowed: [...textsOf(options['allowed_domains']), ...textsOf(filters['allowed_domains'])],
    blocked: [...textsOf(options['blocked_domains']), ...textsOf(filters['blocked_domains'])],
  }
}
