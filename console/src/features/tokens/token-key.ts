/** The key as clients send it; the server keeps it without its beginning. */
export const shownKey = (key: string): string => `sk-${key}`
