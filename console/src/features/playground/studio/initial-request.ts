import type { Draft } from '../../../lib/url/playground-draft'

/** Members of a request besides those that a form has fields for. */
export type Parameters = NonNullable<Draft['parameters']>

/** What another page hands over to be made. */
export interface InitialRequest {
  readonly model: string
  readonly prompt: string
  readonly group: string
  readonly parameters: Parameters
  /** Members of the request that were too large to be kept. */
  readonly lostFields: readonly string[]
}

export function initialRequest(draft: Draft | undefined): InitialRequest | undefined {
  if (!draft) return undefined
  const { model, group = '', parameters = {}, lostFields = [], messages } = draft
  const content = messages[0]?.content
  return { model, prompt: typeof content === 'string' ? content : '', group, parameters, lostFields }
}

/** Returns the model that a form starts with: the one that was handed over, where the reader may use it. */
export const firstModel = (models: readonly string[], initial: InitialRequest | undefined): string =>
  models.find((model) => model === initial?.model) ?? models[0] ?? ''

/** Returns a parameter that was handed over, as a field has it; empty where there is none. */
export const handedText = (initial: InitialRequest | undefined, ...names: readonly string[]): string => {
  const value = names.map((name) => initial?.parameters[name]).find((parameter) => parameter !== undefined)
  return value === undefined ? '' : String(value)
}

/** Returns the parameters that were handed over and have no field. */
export const otherParameters = (initial: InitialRequest | undefined, fields: readonly string[]): Parameters =>
  Object.fromEntries(Object.entries(initial?.parameters ?? {}).filter(([name]) => !fields.includes(name)))
