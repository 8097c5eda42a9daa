/** Kinds of work that end later than the request that begins them, each with public routes of its own: those that vendors run, */
export const vendorPlatforms = ['mj', 'suno', 'video'] as const
/** and calls of models in the background, which the gateway makes itself. */
export const backgroundPlatforms = ['image', 'response'] as const

export const taskPlatforms = [...vendorPlatforms, ...backgroundPlatforms] as const
export type TaskPlatform = (typeof taskPlatforms)[number]

/** Platforms of the task log; drawings have a log of their own. */
export const loggedPlatforms = /* @__PURE__ */ taskPlatforms.filter((platform) => platform !== 'mj')
