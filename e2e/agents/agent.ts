import type { Package } from './install'

/** A coding agent that people install: where it comes from, how it is led to the gateway, and how it is started without a terminal. */
export interface Agent {
  readonly name: string
  readonly package: AgentPackage
  /** It calls over a WebSocket. */
  readonly isOnSocket?: boolean
  /** What to write into its home folder first, by path. */
  readonly files?: (place: AgentPlace) => Readonly<Record<string, string>>
  /** Its address, key and model, and the switches that turn its telemetry and updates off. */
  readonly env: (place: AgentPlace) => Readonly<Record<string, string>>
  /** Arguments for one prompt. `isNext`: it goes on with the conversation of the last one. */
  readonly args: (prompt: string, isNext: boolean, place: AgentPlace) => readonly string[]
  /** How it runs a command on the machine. Absent: it has no such tool. */
  readonly shell?: { readonly tool: RegExp; readonly arguments: (command: string) => unknown }
  /** How its model asks for a tool of an MCP server that is not among the tools of the request. */
  readonly search?: { readonly tool: RegExp; readonly arguments: (name: string) => unknown }
  /** The agent calls no tools: the text by which a model has it write a file. */
  readonly fileText?: (path: string, content: string) => string
}

interface AgentPackage extends Pick<Package, 'from'> {
  readonly name: string
  /** The program it installs. */
  readonly program: string
}

export interface AgentPlace {
  /** The address of the gateway, without a slash at its end. */
  readonly url: string
  readonly key: string
  readonly model: string
  /** Its home, thrown away afterwards. */
  readonly home: string
  /** The command of an MCP server with the tool `lookup_ticket`. */
  readonly tickets: readonly [string, ...string[]]
}

/** The MCP servers of an agent in the form that most read. */
export const mcpServers = ({ tickets: [command, ...args] }: AgentPlace) => ({ tickets: { command, args } })
