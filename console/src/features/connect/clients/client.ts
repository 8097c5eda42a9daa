import type { SnippetDialect } from '../../../lib/text/snippets/snippet-request'

/** What a program needs to reach this site. */
export interface ClientPlace {
  /** Address of the gateway, without a trailing slash. */
  readonly address: string
  /** Includes `sk-`. */
  readonly apiKey: string
  readonly model: string
}

/** One thing to do in order to connect a program. */
export type ClientStep =
  | {
      readonly kind: 'terminal'
      readonly variables: Readonly<Record<string, string>>
      /** How the program is started. */
      readonly command?: readonly string[]
    }
  | { readonly kind: 'file'; readonly path: string; readonly language: string; readonly text: string }
  | {
      readonly kind: 'fields'
      /** The place in the program’s own settings, as the program names it. */
      readonly where?: string
      readonly fields: readonly ClientField[]
    }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }

interface ClientField {
  readonly name: string
  readonly value: string
}

export const clientGroups = ['terminal', 'editor', 'chat', 'program'] as const

/** A program that calls models, and how it is led to this site. */
export interface Client<Id extends string = string> {
  readonly id: Id
  readonly name: string
  readonly group: (typeof clientGroups)[number]
  /** The API that it calls. */
  readonly dialect: SnippetDialect
  readonly steps: (place: ClientPlace) => readonly ClientStep[]
}

/** Where the gateway has each API. */
export const endpoints: Readonly<Record<SnippetDialect, string>> = {
  openai: '/v1/chat/completions',
  responses: '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models',
}

/** Lets `id` keep its literal type. */
export const defineClients = <const Id extends string>(clients: readonly Client<Id>[]) => clients
