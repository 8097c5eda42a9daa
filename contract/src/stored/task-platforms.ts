/** Kinds of work that a vendor finishes after the request that submits it, each with public routes of its own. */
export const vendorPlatforms = ['mj', 'suno', 'video'] as const
/** Calls of models in the background, which the gateway makes itself. */
export const backgroundPlatforms = ['image', 'response'] as const

export const taskPlatforms = [...vendorPlatforms, ...backgroundPlatforms] as const
export type TaskPlatform = (typeof taskPlatforms)[number]

/** Platforms of the task log; drawings have a log of their own. */
export const loggedPlatforms = /* @__PURE__ */ taskPlatforms.filter((platform) => platform !== 'mj')
