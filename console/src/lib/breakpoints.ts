/** The specification's phone width. */
export const phoneQuery = '(max-width: 600px)'
