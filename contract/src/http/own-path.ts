const elsewhere = 'http://elsewhere.invalid'

/** Returns whether a text is a path of this site, so that a browser sent there stays here: `/app/tokens?page=2`. */
export const isOwnPath = (text: string): boolean =>
  text.startsWith('/') && URL.canParse(text, elsewhere) && new URL(text, elsewhere).origin === elsewhere
