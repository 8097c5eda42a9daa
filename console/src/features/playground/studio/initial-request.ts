import type { Draft } from '../../../lib/playground-draft'

/** What another page hands over to be made. */
export interface InitialRequest {
  readonly model: string
  readonly prompt: string
}

export function initialRequest(draft: Draft | undefined): InitialRequest | undefined {
  const content = draft?.messages[0]?.content
  return draft && { model: draft.model, prompt: typeof content === 'string' ? content : '' }
}

/** Returns the model that a form starts with: the one that was handed over, where the reader may use it. */
export const firstModel = (models: readonly string[], initial: InitialRequest | undefined): string =>
  models.find((model) => model === initial?.model) ?? models[0] ?? ''
