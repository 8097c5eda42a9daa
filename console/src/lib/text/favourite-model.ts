/** The specification's default model. */
const favourite = 'gpt-4o-mini'

/** Returns models for an example, the default first. */
export const favouriteFirst = (models: readonly string[]): readonly string[] =>
  models.includes(favourite) ? [favourite, ...models.filter((model) => model !== favourite)] : models
