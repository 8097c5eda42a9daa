/** How answers are written in tests, where nothing depends on it. */
export const plainOptions = {
  model: 'm',
  includeUsage: false,
  promptTokens: 1,
  now: 1,
  newId: (prefix: string) => `${prefix}1`,
  thoughtsAsText: false,
  taggedThoughts: false,
}
