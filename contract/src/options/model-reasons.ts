// Apart from the options, which pages that show these do not load.

export const callNeeds = ['images', 'tools'] as const
export type CallNeed = (typeof callNeeds)[number]

/**
 * `failure`: no channel of the model served the call, or none was free. `refusal`: the vendor refused the content. `length`: the prompt is
 * longer than the model's window.
 */
export const chainReasons = ['failure', 'refusal', 'length'] as const
export type ChainReason = (typeof chainReasons)[number]

/** Why another model than the one that was named serves a call. `window`: a limit of the caller is used up. */
export const modelReasons = ['alias', 'window', ...chainReasons] as const
export type ModelReason = (typeof modelReasons)[number]
