import type { Provider } from './provider'
import { custom } from './vendors/custom'
import { openAi } from './vendors/openai'

export * from './provider'

/** Every vendor, by channel type. The only list. */
export const providers: readonly Provider[] = [openAi, custom]

const byType: ReadonlyMap<number, Provider> = new Map(providers.map((provider) => [provider.type, provider]))

/** The vendor of a channel type, or undefined for a type nobody serves. */
export const providerOf = (type: number): Provider | undefined => byType.get(type)
