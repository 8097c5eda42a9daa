/** Returns the key as clients send it; the server stores it without the prefix. */
export const shownKey = (key: string): string => `sk-${key}`
