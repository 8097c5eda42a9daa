/**
 * Where the console's files are inside the executable, by their name in `console/dist`. Null outside of one: `scripts/build.ts` puts the
 * list here while it builds.
 */
export const embedded: Readonly<Record<string, string>> | null = null
