/** Pages without the side menu. */
const without = ['/', '/home', '/chat', '/setup']

/** Guests have the menu too: a page that requires an account asks them to sign in. */
export const hasSideMenu = (pathname: string): boolean => !without.includes(pathname)

/** A chat page of the operator's. */
export const isChatPath = (pathname: string): boolean => pathname.startsWith('/chat/')
